// guardjit: bench/dispatchers.hpp: other ways from arguments to a kernel, written as one would without a library
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BENCH_DISPATCHERS_HPP
#define GUARDJIT_BENCH_DISPATCHERS_HPP

#include "call_cases.hpp"

#include <any>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bench {

/// What dispatchers keep and call.
template <class Case> using kernel_function =
    std::function<void(typename Case::argument&, arguments_of<Case> const&)>;

/// A map from the dtypes and extents of the arguments to a kernel. The key is written into memory that the
/// thread keeps. Checks less than a compiled call: neither strides nor overlaps, and no mode.
template <class Case> class hash_map_dispatcher {
 public:
  void add(arguments_of<Case> const& a) { map_.emplace(key_of(a), direct_call<Case>(a)); }
  void operator()(typename Case::argument& out, arguments_of<Case> const& a) const {
    map_.find(key_of(a))->second(out, a);
  }

 private:
  using key = std::vector<std::int64_t>;
  struct hash {
    std::size_t operator()(key const& words) const noexcept {
      std::size_t h = words.size();
      for (std::int64_t w : words) h ^= static_cast<std::size_t>(w) + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
      return h;
    }
  };
  static key const& key_of(arguments_of<Case> const& a) {
    static thread_local key words;
    words.clear();
    for (auto const& x : a) {
      words.push_back(static_cast<std::int64_t>(gj::dtype_v<float>));
      for (int d = 0; d < x.rank(); ++d) words.push_back(x.extent(d));
    }
    return words;
  }
  std::unordered_map<key, kernel_function<Case>, hash> map_;
};

/// An argument as a dynamic language has it: each number is an object of its own type.
struct boxed_tensor {
  gj::dtype type{};
  std::vector<std::any> extents, strides;
};

/// One condition on the arguments, a leaf of a tree of guards.
class guard_leaf {
 public:
  virtual ~guard_leaf() = default;
  virtual bool check(std::vector<boxed_tensor> const& arguments) const = 0;
};
class type_leaf final : public guard_leaf {
 public:
  type_leaf(std::size_t argument, boxed_tensor const& like)
      : argument_(argument), type_(like.type), rank_(like.extents.size()) {}
  bool check(std::vector<boxed_tensor> const& arguments) const override {
    return arguments[argument_].type == type_ && arguments[argument_].extents.size() == rank_;
  }

 private:
  std::size_t argument_;
  gj::dtype type_;
  std::size_t rank_;
};
template <std::vector<std::any> boxed_tensor::*Numbers> class numbers_leaf final : public guard_leaf {
 public:
  numbers_leaf(std::size_t argument, boxed_tensor const& like) : argument_(argument), expected_(like.*Numbers) {}
  bool check(std::vector<boxed_tensor> const& arguments) const override {
    std::vector<std::any> const& actual = arguments[argument_].*Numbers;
    for (std::size_t d = 0; d < expected_.size(); ++d)
      if (std::any_cast<index_t>(actual[d]) != std::any_cast<index_t>(expected_[d])) return false;
    return true;
  }

 private:
  std::size_t argument_;
  std::vector<std::any> expected_;
};

/// Entries of guards with virtual checks over boxed numbers, tried in turn under a lock; the one that fits
/// moves to the front, as in caches of compilers for dynamic languages. Boxes are kept from call to call.
template <class Case> class virtual_guards_dispatcher {
 public:
  void add(arguments_of<Case> const& a) {
    std::vector<boxed_tensor> const& boxed = boxes_of(a);
    entry e{{}, direct_call<Case>(a)};
    for (std::size_t k = 0; k < boxed.size(); ++k) {
      e.guards.push_back(std::make_unique<type_leaf>(k, boxed[k]));
      e.guards.push_back(std::make_unique<numbers_leaf<&boxed_tensor::extents>>(k, boxed[k]));
      e.guards.push_back(std::make_unique<numbers_leaf<&boxed_tensor::strides>>(k, boxed[k]));
    }
    entries_.push_front(std::move(e));
  }
  void operator()(typename Case::argument& out, arguments_of<Case> const& a) const {
    std::vector<boxed_tensor> const& boxed = boxes_of(a);
    kernel_function<Case> const* found = nullptr;
    {
      std::lock_guard const lock(mutex_);
      for (auto e = entries_.begin(); e != entries_.end() && !found; ++e) {
        if (!fits(*e, boxed)) continue;
        found = &e->call;
        entries_.splice(entries_.begin(), entries_, e);
      }
    }
    (*found)(out, a);
  }

 private:
  struct entry {
    std::vector<std::unique_ptr<guard_leaf>> guards;
    kernel_function<Case> call;
  };
  static bool fits(entry const& e, std::vector<boxed_tensor> const& boxed) {
    for (auto const& leaf : e.guards)
      if (!leaf->check(boxed)) return false;
    return true;
  }
  static std::vector<boxed_tensor> const& boxes_of(arguments_of<Case> const& a) {
    static thread_local std::vector<boxed_tensor> boxed;
    boxed.resize(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      boxed[k].type = gj::dtype_v<float>;
      boxed[k].extents.clear();
      boxed[k].strides.clear();
      for (int d = 0; d < a[k].rank(); ++d) {
        boxed[k].extents.emplace_back(a[k].extent(d));
        boxed[k].strides.emplace_back(a[k].stride(d));
      }
    }
    return boxed;
  }
  mutable std::mutex mutex_;
  mutable std::list<entry> entries_;
};

/// Calls `use(variant, make)` for each baseline; `make(sets)` gives what is called with an output and one of
/// the `sets` of arguments, kept by pointer so that each may be what it is.
template <class Case> void for_each_baseline(auto const& use) {
  using sets = std::vector<arguments_of<Case>>;
  use("direct", [](sets const& all) { return std::make_unique<direct_call<Case>>(all[0]); });
  use("std_function", [](sets const& all) {
    return std::make_unique<kernel_function<Case>>(direct_call<Case>(all[0]));
  });
  auto const filled_one = []<class Dispatcher>(std::unique_ptr<Dispatcher> to, sets const& all) {
    for (auto const& a : all) to->add(a);
    return to;
  };
  use("hash_map", [=](sets const& all) {
    return filled_one(std::make_unique<hash_map_dispatcher<Case>>(), all);
  });
  use("virtual_guards", [=](sets const& all) {
    return filled_one(std::make_unique<virtual_guards_dispatcher<Case>>(), all);
  });
}

/// Calls with one set of arguments, compiled and by each baseline.
template <class Case> void add_call_into() {
  std::string const arguments = std::to_string(Case::arguments);
  add("call_into", "guardjit", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function);
    run_same<Case>(state, into_of<Case>(f), make_arguments<Case>(8));
  });
  for_each_baseline<Case>([&](char const* variant, auto const& make) {
    add("call_into", variant, arguments, [make](benchmark::State& state) {
      std::vector<arguments_of<Case>> const sets{make_arguments<Case>(8)};
      run_same<Case>(state, *make(sets), sets[0]);
    });
  });
}

}  // namespace bench

#endif
