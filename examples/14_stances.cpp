// What you learn: warm a service up, then let no request wait for a compile; and what else a miss may do.
// Run:    build/examples/14_stances
// Prints: what became of each request, and why.
#include <guardjit/guardjit.hpp>

#include <iostream>
#include <string>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::stance, gj::tensor;

// Scores of a batch of rows, as chances.
constexpr auto scores = [](auto const& x, auto const& w) { return gj::softmax(gj::matmul(x, w)); };

tensor<float, dyn, dyn> batch(index_t rows) { return gj::full(0.5f, rows, 16); }

int main() {
  tensor<float, dyn, dyn> const weights = gj::ones<float>({16, 4});
  auto const f = gj::compile(scores, gj::name<"scores">, gj::bind(gj::freeze(weights)));
  int eager = 0;
  gj::subscription const listening{[&eager](gj::event const& e) {
    if (e.kind != gj::event_kind::eager_call) return;
    ++eager;
    std::cout << "op by op: " << e.text << '\n';
  }};

  // Warm up: the first batch runs op by op and is remembered, so that the second makes the one entry that serves
  // batches of any length.
  {
    gj::stance_scope const warm_up(stance::eager_then_compile);
    for (index_t rows : {1, 8}) f(batch(rows));
  }
  int const compiled = f.compiles();
  std::cout << "warmed up with " << compiled << " entry\n";

  // [readme]
  // Serve: each thread says for itself that a compile is an error. Hits are as fast as without.
  std::string refused;
  gj::stance_scope const serving(stance::fail_on_recompile);
  for (index_t rows : {3, 64, 1}) f(batch(rows));
  // [/readme]
  tensor<float, dyn, dyn> const columns = gj::transpose(gj::full(0.5f, 16, 5));
  try {
    f(columns);
  } catch (gj::recompile_error const& e) {
    refused = e.what();
    std::cout << "refused: " << refused << '\n';
  }

  // One call may do otherwise: it is answered, slowly, and nothing is compiled.
  tensor<float, dyn, dyn> const answer = f.with(stance::eager_on_recompile)(columns);

  // To look for a mistake, all calls run op by op, by the same kernels: the same bits come out.
  tensor<float, dyn, dyn> const fused = f(batch(5)), one_by_one = f.with(stance::force_eager)(batch(5));
  bool same = true;
  for (index_t k = 0; k < fused.size(); ++k) same = same && fused.data()[k] == one_by_one.data()[k];

  bool const right = compiled == 1 && f.compiles() == 1 && f.entries()[0].dynamic && eager == 3 && same &&
                     refused.find("stance fail_on_recompile: scores (") != refused.npos &&
                     refused.find("scores/0: arg[0]") != refused.npos && answer(4, 3) == 0.25f;
  std::cout << (right ? "as expected\n" : "not as expected\n");
  return right ? 0 : 1;
}
