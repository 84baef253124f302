// guardjit: tests/golden/eager.cpp: golden cases on tensors of run-time dtype and rank
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <cstdio>
#include <set>

#include "rows.hpp"

using namespace golden;

namespace {

row const* find_in(std::span<row const> rows, std::string_view name) {
  for (row const& r : rows)
    if (r.name == name) return &r;
  return nullptr;
}
row const* find_row(std::string_view name) {
  for (auto rows : {elementwise_rows(), reduction_rows(), shape_rows()})
    if (row const* r = find_in(rows, name)) return r;
  return nullptr;
}

/// "gelu_chain" of "GLD-composite-gelu_chain-001".
std::string name_of_composite(test_case const& c) {
  std::string const start = "GLD-composite-";
  return c.id.substr(start.size(), c.id.rfind('-') - start.size());
}

struct found {
  row const* call;
  std::string waits_for;  ///< where there is no call
};
found find_call(test_case const& c) {
  if (c.op != "composite") return {find_row(c.op), c.op};
  std::string const name = name_of_composite(c);
  for (auto const& [function, op] : generated.waiting)
    if (name == function) return {nullptr, op};
  return {find_in(generated.composites, name), name};
}

/// How many cases of a family ran, and what the others wait for.
struct tally {
  int run = 0;
  std::map<std::string, int> ops, dtypes;
};

int sum_of(std::map<std::string, int> const& counts) {
  int sum = 0;
  for (auto const& entry : counts) sum += entry.second;
  return sum;
}

void print(char const* kind, std::map<std::string, int> const& counts) {
  if (counts.empty()) return;
  std::printf("    %d wait for %s:", sum_of(counts), kind);
  for (auto const& [name, count] : counts) std::printf(" %s %d", name.c_str(), count);
  std::printf("\n");
}

void print(std::map<std::string, tally> const& families) {
  int run = 0, ops = 0, dtypes = 0;
  for (auto const& [family, t] : families) {
    std::printf("%s: %d run, %d wait\n", family.c_str(), t.run, sum_of(t.ops) + sum_of(t.dtypes));
    print("an op", t.ops);
    print("a dtype", t.dtypes);
    run += t.run;
    ops += sum_of(t.ops);
    dtypes += sum_of(t.dtypes);
  }
  std::printf("golden values, eager: %d run, %d wait for an op, %d for a dtype\n", run, ops, dtypes);
}

std::set<std::string> ops_of_the_files() {
  std::set<std::string> ops;
  for (test_case const& c : all_cases()) ops.insert(c.op);
  return ops;
}

bool contains(std::span<char const* const> names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](char const* n) { return name == n; });
}

}  // namespace

TEST_CASE("golden values: every case of an op that exists, eagerly") {
  std::map<std::string, tally> families;
  std::set<std::string> missing_forms;
  for (test_case const& c : all_cases()) {
    tally& family = families[c.family];
    auto const [call, waits_for] = find_call(c);
    if (!call) {
      ++family.ops[waits_for];
    } else if (std::string const dtype = missing_dtype(c); !dtype.empty()) {
      ++family.dtypes[dtype];
    } else {
      std::string wrong;
      try {
        wrong = verdict(c, [&](arguments in) { return call->call(c, in); });
        ++family.run;
      } catch (missing_form const& form) {
        ++family.ops[form.name];
        missing_forms.insert(form.name);
      } catch (std::exception const& e) {
        wrong = std::string("not run: ") + e.what();
      }
      CHECK_MESSAGE(wrong.empty(), c.id, ": ", wrong);
    }
  }
  print(families);
  CHECK(families.size() == 19);
  CHECK(all_cases().size() == 9677);
  for (std::string const& form : missing_forms)
    CHECK_MESSAGE(contains(generated.missing_forms, form), form, ": not among MISSING_FORMS in calls.py");
  for (char const* form : generated.missing_forms)
    CHECK_MESSAGE(missing_forms.contains(form), std::string(form), ": exists now; calls.py shall spell it");
}

TEST_CASE("golden values: each op of the library that the files name has a row") {
  std::set<std::string> const ops = ops_of_the_files();
  for (int k = 0; k < gj::op_count; ++k) {
    std::string const name = gj::name_of(static_cast<gj::op>(k));
    CHECK_MESSAGE((!ops.contains(name) || find_row(name)), name, ": no row in rows_….cpp");
  }
  for (char const* name : generated.declared) {
    CHECK_MESSAGE(find_row(name), std::string(name), ": no row in rows_….cpp");
  }
  for (auto rows : {elementwise_rows(), reduction_rows(), shape_rows()})
    for (row const& r : rows) {
      CHECK_MESSAGE(ops.contains(r.name), std::string(r.name), ": no such op in the files");
      CHECK_MESSAGE(contains(generated.declared, r.name), std::string(r.name),
                    ": generate.py does not see its declaration");
    }
}

TEST_CASE("golden values: what the comparison accepts and refuses") {
  using limits = std::numeric_limits<float>;
  constexpr float inf = limits::infinity(), nan = limits::quiet_NaN();
  tolerance const exact{true}, ulp{false, 1}, both{false, 1, 0.5, 0.25};
  CHECK(is_right(1.0f, 1.0f, exact));
  CHECK_FALSE(is_right(0.0f, -0.0f, exact));
  CHECK(is_right(nan, -nan, exact));
  CHECK_FALSE(is_right(1.0f, nan, both));
  CHECK_FALSE(is_right(nan, 1.0f, both));
  CHECK(is_right(1.0f + 0x1p-23f, 1.0f, ulp));
  CHECK_FALSE(is_right(1.0f + 0x1p-22f, 1.0f, ulp));
  CHECK(is_right(0x1p-149f, 0x1p-127f, ulp));         // within the smallest normal number
  CHECK_FALSE(is_right(0x1p-149f, 0.0f, ulp));        // a zero needs a zero …
  CHECK_FALSE(is_right(-0.0f, 0.0f, ulp));            // … of its sign
  CHECK(is_right(-0.5f, 0.0f, both));
  CHECK(is_right(5.5f, 4.0f, both));
  CHECK_FALSE(is_right(5.75f, 4.0f, both));
  CHECK(is_right(inf, inf, both));
  CHECK_FALSE(is_right(limits::max(), inf, both));
  CHECK_FALSE(is_right(-inf, inf, both));
}

TEST_CASE("golden values: operands lie as the case says") {
  value_data data{.dtype = "u8", .shape = {2, 3}, .bytes = {1, 2, 3, 1, 2, 3}};
  struct {
    char const* layout;
    gj::index_t rows, columns;
  } const expected[] = {
      {"", 3, 1}, {"transposed", 1, 2}, {"sliced", 6, 2}, {"reversed", -3, -1}, {"expanded", 0, 1}};
  for (auto const& [layout, rows, columns] : expected) {
    CAPTURE(layout);
    data.layout = layout;
    auto const x = std::get<gj::any_tensor>(laid_out(data));
    CHECK(x.stride(0) == rows);
    CHECK(x.stride(1) == columns);
    gj::any_tensor const packed = x.clone();
    CHECK(std::equal(data.bytes.begin(), data.bytes.end(), packed.data_as<std::uint8_t>()));
  }
  data.weak = true;
  CHECK(std::get<std::int64_t>(laid_out(data)) == 1);
}

TEST_CASE("golden values: a verdict tells wrong results, errors and operands that were written") {
  test_case c;
  c.inputs = c.outputs = {{.dtype = "f32", .result = "f32", .shape = {1}, .bytes = {0, 0, 128, 63}}};
  c.bound.exact = true;
  auto const identity = [](arguments in) { return results{tensor_at(in, 0)}; };
  auto const given = [&](gj::any_tensor x) { return verdict(c, [&](arguments) { return results{x}; }); };
  CHECK(verdict(c, identity) == "");
  CHECK(given(gj::ones<double>({1})) == "result 0: dtype f64, expected f32");
  CHECK(given(gj::ones<float>({2})) == "result 0: shape (2), expected (1)");
  CHECK(given(gj::zeros<float>({1})) == "result 0: element 0 is 0, expected 1");
  CHECK(verdict(c, [](arguments) { return results{}; }) == "0 results, expected 1");
  auto const writing = [](arguments in) {
    gj::any_tensor x = tensor_at(in, 0);
    gj::any_tensor const result = x.clone();
    *x.data_as<float>() = 2;
    return results{result};
  };
  CHECK(verdict(c, writing) == "an operand has changed");
  auto const refusing = [](arguments) -> results { throw gj::index_error(gj::fixed_text()); };
  CHECK(verdict(c, refusing) == "index_error was thrown: ");
  c.error = "shape_error";
  CHECK(verdict(c, refusing) == "index_error was thrown: ");
  CHECK(verdict(c, identity) == "nothing was thrown, expected shape_error");
  c.error = "index_error";
  CHECK(verdict(c, refusing) == "");
}
