// What you learn: print a tensor, save tensors in NumPy's formats, load them again.
// Run:    build/examples/02_files
// Prints: a matrix, its transpose as it comes back from a file, and the names in an archive.
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npz.hpp>
#include <guardjit/tensor/print.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

int main() try {
  std::string folder = (std::filesystem::temp_directory_path() / "guardjit_XXXXXX").string();
  if (!::mkdtemp(folder.data())) return 1;
  std::string const matrix = folder + "/matrix.npy", archive = folder + "/network.npz";

  tensor<float, 2, 3> const w{{1, 2.5f, 3}, {-4, 0, 0.125f}};
  tensor<bool, dyn> const used{true, false};
  std::cout << w << "\n\n";

  // Any strides can be saved. A transposed matrix is written in Fortran order, without a copy.
  gj::save_npy(matrix.c_str(), gj::transpose(w));
  auto const turned = gj::load_npy(matrix.c_str()).as<float, 3, 2>();
  std::cout << turned << "\n\n";

  // An archive holds tensors by name: numpy.load(archive)["w"].
  gj::save_npz(archive.c_str(), {{"w", w}, {"used", used}});
  auto const members = gj::load_npz(archive.c_str());
  for (auto const& [name, value] : members) std::cout << name << ": " << value << '\n';

  std::filesystem::remove_all(folder);
  bool const same = turned(2, 1) == w(1, 2) && members["w"].as<float, 2, 3>()(0, 1) == 2.5f;
  return same && gj::to_string(used) == "bool (2)\n[ true, false]" ? 0 : 1;
} catch (std::exception const& e) {
  std::cout << e.what() << '\n';
  return 1;
}
