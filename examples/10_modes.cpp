// What you learn: modes: counting, logging, finding a NaN, and rewriting ops, in eager code and inside compiled functions.
// Run:    build/examples/10_modes [folder with digits, by default examples/data/digits]
// Prints: the ops of a computation with their lines, where its first NaN comes from, the graph before and after its repair.
#include <guardjit/graph/print.hpp>
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npy.hpp>

#include <iostream>
#include <string>

namespace gj = guardjit;
using gj::dyn, gj::op, gj::tensor;

// How evenly the ink of an image is spread. Most pixels are 0, and 0 times log(0) is no number.
constexpr auto entropy = [](auto const& images) {
  auto const p = gj::eval(images / gj::sum(images, gj::axes(1), gj::keepdims));
  return -gj::sum(p * gj::log(p), gj::axes(1));
};

// [readme]
// A pure mode rewrites ops. One text serves eager code, where operands are tensors, and traces, where they are symbols.
struct safe_log : gj::pure_mode<safe_log> {
  static constexpr gj::op_set interests = {op::log};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    return call(gj::maximum(call.arg(0), 1e-30f));  // goes on, with another operand
  }
};
// [/readme]
struct plus100 : gj::pure_mode<plus100> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    return call.op() == op::add ? gj::sub(call(), -100) : typename Call::value(call());
  }
};

int main(int argc, char** argv) try {
  std::string const folder = argc > 1 ? argv[1] : "examples/data/digits";
  auto const images = gj::to<float>(gj::load_npy((folder + "/images_u8.npy").c_str())).as<float, dyn, 64>();
  auto const compiled = gj::compile(entropy, gj::name<"entropy">, gj::inline_modes<safe_log>);

  // Observers are told the same ops in eager code and in a compiled call, whose fused kernels run all the same.
  gj::op_log eager_log, log;
  gj::op_counter counter;
  { gj::mode_scope const scope(eager_log); gj::eval(entropy(images)); }
  { gj::mode_scope const one(log); gj::mode_scope const two(counter); compiled(images); }
  std::cout << log.to_string() << counter.total() << " ops, " << counter.count(op::log) << " of them log\n\n";

  // Which op made the first NaN? The call runs op by op under a mode that looks at values.
  std::string found;
  gj::nan_check check;
  try {
    gj::mode_scope const scope(check);
    compiled(images);
  } catch (gj::mode_error const& e) {
    found = e.what();
  }
  std::cout << found << "\n\n";

  // The same function under the mode that repairs it: eager code rewrites at run time, for the compiled function
  // the C++ compiler did it, and no handler runs.
  safe_log repair;
  std::string const before = gj::to_text(compiled.graph(images));
  gj::mode_scope const scope(repair);
  tensor<float, dyn> const right = gj::eval(entropy(images)), same = compiled(images);
  std::string const after = gj::to_text(compiled.graph(images));
  std::cout << before << "becomes\n" << after << "image 0 has " << same(0) << " nats\n";

  // What a mode does while it compiles is not done again when the plan runs: 202 each time.
  auto const g = gj::compile([](auto const& x) { return (x + 1) * 2; }, gj::inline_modes<safe_log, plus100>);
  plus100 hundred;
  gj::mode_scope const more(hundred);
  float const first = g(gj::zeros<float>({2}))(0), second = g(gj::zeros<float>({2}))(1);
  std::cout << first << " and " << second << '\n';

  bool const fine = log.to_string() == eager_log.to_string() && found.find("nan_check") != found.npos &&
                    after.find("maximum") != after.npos && right(0) == same(0) && first == 202 && second == 202;
  return fine && same(0) > 2 && same(0) < 4.2f ? 0 : 1;
} catch (std::exception const& e) {
  std::cout << e.what() << '\n';
  return 1;
}
