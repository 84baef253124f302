// guardjit: tests/main.cpp: the one unit with doctest's implementation, and the invariants of every test
// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT

#include <guardjit/base/inert.hpp>
#include <guardjit/compile/guard_collective.hpp>
#include <guardjit/modes/default_device.hpp>
#include <guardjit/modes/mode_stack.hpp>
#include <guardjit/modes/stance.hpp>
#include <guardjit/tensor/storage.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int broken_cases = 0;

/// Paths as seen from the top of the project.
char const* place_of(doctest::TestCaseData const& data) {
  char const* path = data.m_file.c_str();
  while (std::strncmp(path, "../", 3) == 0) path += 3;
  return path;
}

/// After each test case: mode stack empty, dispatch enabled, inert counter 0, no default device, stance normal,
/// no guard collective, no storage alive that was not before.
/// With GUARDJIT_CASES=file each case also appends `program, result, assertions, file:line, name`.
struct invariants : doctest::IReporter {
  explicit invariants(doctest::ContextOptions const&) {}

  void test_case_start(doctest::TestCaseData const& data) override {
    case_ = &data;
    storages_ = guardjit::live_storages();
  }

  void test_case_end(doctest::CurrentTestCaseStats const& stats) override {
    bool clean = true;
    auto const require = [&](bool holds, char const* what) {
      if (holds) return;
      clean = false;
      std::fprintf(stderr, "%s:%u: ERROR: after \"%s\": %s\n", place_of(*case_), case_->m_line,
                   case_->m_name, what);
    };
    require(guardjit::mode_stack::depth() == 0, "the mode stack is not empty");
    require(guardjit::mode_stack::enabled(), "dispatch is disabled");
    require(!guardjit::is_inert(), "the inert counter is not 0");
    require(!guardjit::default_device(), "a default device is set");
    require(guardjit::current_stance() == guardjit::stance::normal, "the stance is not normal");
    require(!guardjit::detail::collective(), "a guard collective is set");
    require(guardjit::current_word() == 0, "the thread's word is not 0");
    require(guardjit::live_storages() == storages_,
            "the number of live tensor storages has changed");
    if (!clean) ++broken_cases;

    char const* const path = std::getenv("GUARDJIT_CASES");
    std::FILE* const file = path ? std::fopen(path, "a") : nullptr;
    if (!file) return;
    std::fprintf(file, "%s\t%s\t%d\t%s:%u\t%s\n", program_invocation_short_name,
                 stats.testCaseSuccess && clean ? "passed" : "failed", stats.numAssertsCurrentTest,
                 place_of(*case_), case_->m_line, case_->m_name);
    std::fclose(file);
  }

  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}

 private:
  doctest::TestCaseData const* case_ = nullptr;
  std::int64_t storages_ = 0;
};

REGISTER_LISTENER("invariants", 1, invariants);

}  // namespace

int main(int argc, char** argv) {
  int const result = doctest::Context(argc, argv).run();
  if (broken_cases) std::fprintf(stderr, "%d test cases left something behind\n", broken_cases);
  return result || broken_cases ? EXIT_FAILURE : EXIT_SUCCESS;
}
