// What you learn: why a compiled function was compiled again, and the one line that ends it.
// Run:    build/examples/13_recompiles
// Prints: each recompile with its reason, what to declare, and how often the function is compiled then.
#include <guardjit/guardjit.hpp>
#include <guardjit/guards/advice.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;

// Each row less its mean: what follows an embedding, for as many words as a sentence has.
constexpr auto centered = [](auto const& x) { return x - gj::mean(x, gj::axes(1), gj::keepdims); };
constexpr index_t sentences[] = {8, 12, 9, 31};

/// Calls `f` for all sentences, and tells how often it was compiled.
int compiles_for_all(auto const& f) {
  for (index_t words : sentences) f(gj::ones<float>({words, 64}));
  return f.compiles();
}

int main() {
  // Who listens is told each miss that makes an entry, in the words of the guard that failed.
  std::vector<std::string> reasons;
  gj::subscription const listening{[&reasons](gj::event const& e) {
    if (e.kind == gj::event_kind::recompile) reasons.push_back(e.text);
  }};

  // Without dynamic extents each length is an entry of its own.
  auto const fixed = gj::compile(centered, gj::name<"fixed">, gj::dynamic::none);
  int const for_each = compiles_for_all(fixed);
  for (std::string const& reason : reasons) std::cout << "compiled again, since\n" << reason << "\n\n";

  // `explain_miss` asks the same of a call that is not made, and `advice` says what would have helped.
  tensor<float, dyn, dyn> const next = gj::ones<float>({40, 64});
  std::string const advice = gj::advice(fixed.explain_miss(next));
  std::cout << "for 40 words:\n" << fixed.explain_miss(next).to_string() << "\n\nadvice: " << advice << "\n\n";

  // By default the second length leaves open what varied; declared from the start, there is one entry.
  auto const automatic = gj::compile(centered, gj::name<"automatic">);
  auto const open = gj::compile(centered, gj::name<"open">, gj::dynamic::all);
  int const with_second = compiles_for_all(automatic), once = compiles_for_all(open);
  std::cout << "compiled " << for_each << " times with none, " << with_second << " times by default, " << once
            << " time with dynamic::all\n";

  // Strides are another reason: a transposed matrix has elements elsewhere. A copy has them in rows.
  tensor<float, dyn, dyn> const turned = gj::transpose(gj::ones<float>({64, 40}));
  std::string const strides = gj::advice(open.explain_miss(turned));
  std::cout << "for a transposed matrix: " << strides << '\n';
  open(turned.clone());

  bool const right = for_each == 4 && with_second == 2 && once == 1 && open.compiles() == 1 && reasons.size() == 4 &&
                     reasons[0] == "fixed/0: arg[0].extent(0): expected 8, got 12" && fixed.find(next).empty() &&
                     advice.find("arg[0].extent(0) varies (8, 12, 9, 31, now 40): dynamic::all") == 0 &&
                     strides.find("clone()") != strides.npos && gj::advice(open.explain_miss(next)).empty();
  return right ? 0 : 1;
}
