// guardjit: compile/call_results.hpp: results of a call in the structure that the function gives
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_RESULTS_HPP
#define GUARDJIT_COMPILE_CALL_RESULTS_HPP

#include <guardjit/compile/slow_call.hpp>
#include <guardjit/expr/evaluate.hpp>
#include <guardjit/graph/structure.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Results in the structure `Result` that are still to come.
template <class Result> Result no_results() {
  return built<Result>([]<class Tensor>(std::type_identity<Tensor>) {
    return Tensor::adopt({}, nullptr, typename Tensor::layout_type());
  });
}
/// Results in the structure `Result`, from the tensors that are its leaves.
template <class Result> Result results_from(any_tensor const* next) {
  return built<Result>(
      [&next]<class Tensor>(std::type_identity<Tensor>) { return from_any<Tensor>(*next++); });
}

/// Runs a plan for results that lie in fresh storage, or are views of arguments.
template <class Result, class Spec> Result run_for_results(any_call const& c, bound_call const& b, int path) {
  constexpr int arguments = Spec::arguments, results = Spec::results;
  path_spec const& taken = Spec::data.paths[static_cast<unsigned>(path)];
  std::array<storage, results> owners;
  for (unsigned r = 0; r < results; ++r) {
    int const base = b.results[r].at.base, output = arguments + static_cast<int>(r);
    owners[r] = base == output
                    ? storage::allocate(b.results[r].bytes, device_in_call(taken.source_of_result(r), c.f))
                    : *c.f.owners[base];
    c.f.bases[output] = base == output ? owners[r].data() : nullptr;
  }
  run_plan(b, c.f.bases, arguments + results, nullptr);
  unsigned next = 0;
  return built<Result>([&]<class Tensor>(std::type_identity<Tensor>) {
    bound_result const& r = b.results[next];
    auto* const data = static_cast<typename Tensor::element_type*>(resolve(r.at, c.f.bases));
    return Tensor::adopt(std::move(owners[next++]), data, Tensor::layout_type::of(r.layout.view()));
  });
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
