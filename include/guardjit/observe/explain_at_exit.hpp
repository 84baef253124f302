// guardjit: observe/explain_at_exit.hpp: each compiled function explains itself when it goes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OBSERVE_EXPLAIN_AT_EXIT_HPP
#define GUARDJIT_OBSERVE_EXPLAIN_AT_EXIT_HPP

#include <guardjit/compile/explain.hpp>

#include <cstdio>
#include <mutex>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What became of the functions of this program. Included, it is on: `-include` does so for a program that
/// was not written for it, see `./dev explain`. The page of a function comes on stderr when its last copy
/// goes, and tells of the calls that were made; one that was never compiled is left out.
/// Lifetime: until the program ends, since functions with static storage go late.
class GUARDJIT_VISIBLE exit_explainer {
 public:
  static exit_explainer& instance() {
    static auto& only = *new exit_explainer;
    return only;
  }

 private:
  struct reason {
    std::string id, text;
  };
  struct sink {
    exit_explainer* to;
    void operator()(event const& e) const { to->hear(e); }
  };

  exit_explainer() : listening_(sink{this}) {
    __atomic_store_n(&registry.on_end, &tell, __ATOMIC_RELEASE);
  }
  [[gnu::cold]] void hear(event const& e) {
    if (e.kind != event_kind::recompile) return;
    std::lock_guard const lock(writing_);
    reasons_.push_back({std::string(e.name) + "/" + std::to_string(e.entry), e.text});
  }
  [[gnu::cold]] static void tell(function_caches const& caches) {
    if (caches.fn.compile_count() == 0 || caches.fn.listener) return;
    exit_explainer& self = instance();
    explanation_builder builder(caches, nullptr);
    explanation& page = builder.result();
    std::lock_guard const lock(self.writing_);
    // Names may repeat in a program: the latest reason is that of this function.
    for (explained_entry& one : page.entries)
      for (reason const& known : self.reasons_)
        if (known.id == one.id) one.since = known.text;
    std::string const text = page.to_string(false) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  std::mutex writing_;
  std::vector<reason> reasons_;
  subscription<sink> listening_;
};

inline exit_explainer& functions_explain_themselves = exit_explainer::instance();

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
