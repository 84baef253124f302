// guardjit: ops/function_objects.hpp: types of the functions that users call: arguments become attributes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_FUNCTION_OBJECTS_HPP
#define GUARDJIT_OPS_FUNCTION_OBJECTS_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/ops/attributes.hpp>
#include <guardjit/ops/description.hpp>
#include <guardjit/ops/mistake.hpp>
#include <guardjit/tensor/device.hpp>

#include <array>
#include <span>
#include <type_traits>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// Whether `Value` is something that ops work on (a tensor, a symbol of a trace), apart from C++
/// scalars. Each such type says so beside its definition.
template <class Value> inline constexpr bool is_operand_v = false;

template <class Value> concept tensor_operand = is_operand_v<std::remove_cvref_t<Value>>;
template <class Value> concept scalar_operand = std::is_arithmetic_v<std::remove_cvref_t<Value>>;
template <class Value> concept operand_like = tensor_operand<Value> || scalar_operand<Value>;
/// Operands of one op: tensors, symbols and C++ scalars, at least one of them no scalar.
template <class... Values>
concept operands_of_op = (operand_like<Values> && ...) && (tensor_operand<Values> || ...);

/// Names an op for the overloads of `apply_op(tag, attributes, where, operands…)`, one for each
/// kind of operand: a trace appends a node, tensors run through the mode stack. What the types of
/// the operands do not tell about the result's type stands here: `Dims` is the number of axes that
/// a reduction drops, or the rank of a reshape, an expand or a factory; `To` the element type of a
/// conversion or a factory.
template <op Id, int Dims = 0, class To = void> struct op_tag {
  static constexpr op id = Id;
  static constexpr int dims = Dims;
  using type = To;
};

/// Extents of a shape argument; symbols in a trace: `reshape(x, x.extent(0) / 4, 4)`.
template <class Value> inline constexpr bool is_extent_v = std::is_integral_v<Value>;
template <class Value> concept extent_like = is_extent_v<std::remove_cvref_t<Value>>;

/// An extent kept as its number; `to_extent` of a symbol gives the symbol's.
constexpr index_t to_extent(std::integral auto extent) { return static_cast<index_t>(extent); }
struct extent_argument {
  index_t value = 0;
  template <extent_like Extent>
  constexpr extent_argument(Extent const& extent) : value(to_extent(extent)) {}
};

/// Axes by number, negative ones from the end: `axes(0, -1)`; `axes()` names none. Their number is
/// part of the type, since ranks are types.
template <int Count> struct axes {
  std::array<std::int8_t, Count == 0 ? 1 : Count> list{};
  constexpr axes() = default;
  template <std::integral... Axis>
    requires(sizeof...(Axis) == Count && Count > 0)
  constexpr explicit axes(Axis... axis) : list{static_cast<std::int8_t>(axis)...} {}
  constexpr int operator[](int k) const { return list[static_cast<unsigned>(k)]; }
};
template <std::integral... Axis> axes(Axis...) -> axes<static_cast<int>(sizeof...(Axis))>;

/// The form of `gelu` by the hyperbolic tangent: `gelu(x, tanh_form)`.
struct tanh_form_t {};
inline constexpr tanh_form_t tanh_form{};

namespace detail {

/// A mistake in the attributes of a call on tensors; traces overload it to record theirs.
template <class X>
constexpr void refuse_axis(X const&, op id, int axis, int rank, mistake_kind kind, source_line where) {
  raise_mistake({kind, id, axis, rank, axis, {}}, fixed_text{} << ", " << where);
}

/// The numbers of named axes, counted from the front; wrong ones are refused.
template <class X, int Count>
constexpr axes<Count> normal_axes(X const& x, op id, axes<Count> named, source_line where) {
  unsigned seen = 0;
  for (int k = 0; k < Count; ++k) {
    int const axis = named[k] < 0 ? named[k] + x.rank() : named[k];
    if (axis < 0 || axis >= x.rank())
      return refuse_axis(x, id, named[k], x.rank(), mistake_kind::axis_out_of_range, where), axes<Count>{};
    if (seen >> axis & 1u)
      return refuse_axis(x, id, named[k], x.rank(), mistake_kind::axis_repeated, where), axes<Count>{};
    seen |= 1u << axis;
    named.list[static_cast<unsigned>(k)] = static_cast<std::int8_t>(axis);
  }
  return named;
}

template <op Id> struct unary_function : describable<unary_function<Id>> {
  using describable<unary_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, source_line where = std::source_location::current()) const {
    return apply_op(op_tag<Id>{}, attributes{}, where, std::forward<X>(x));
  }
};

template <op Id> struct binary_function : describable<binary_function<Id>> {
  using describable<binary_function>::operator();

  template <class A, class B>
    requires operands_of_op<A, B>
  constexpr auto operator()(A&& a, B&& b,
                            source_line where = std::source_location::current()) const {
    return apply_op(op_tag<Id>{}, attributes{}, where, std::forward<A>(a), std::forward<B>(b));
  }
};

template <op Id> struct ternary_function : describable<ternary_function<Id>> {
  using describable<ternary_function>::operator();

  template <class A, class B, class C>
    requires operands_of_op<A, B, C>
  constexpr auto operator()(A&& a, B&& b, C&& c,
                            source_line where = std::source_location::current()) const {
    return apply_op(op_tag<Id>{}, attributes{}, where, std::forward<A>(a), std::forward<B>(b),
                    std::forward<C>(c));
  }
};

struct gelu_function : describable<gelu_function> {
  using describable<gelu_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, source_line where = std::source_location::current()) const {
    return apply_op(op_tag<op::gelu>{}, attributes{}, where, std::forward<X>(x));
  }
  template <tensor_operand X>
  constexpr auto operator()(X&& x, tanh_form_t,
                            source_line where = std::source_location::current()) const {
    return apply_op(op_tag<op::gelu_tanh>{}, attributes{}, where, std::forward<X>(x));
  }
};

template <element To> struct to_function : describable<to_function<To>> {
  using describable<to_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, source_line where = std::source_location::current()) const {
    attributes extra;
    extra.type = dtype_v<To>;
    return apply_op(op_tag<op::to, 0, To>{}, extra, where, std::forward<X>(x));
  }
};

struct permute_function : describable<permute_function> {
  using describable<permute_function>::operator();

  template <tensor_operand X, int Count>
  constexpr auto operator()(X&& x, axes<Count> order,
                            source_line where = std::source_location::current()) const {
    attributes extra;
    auto const normal = normal_axes(x, op::permute, order, where);
    if (Count != x.rank())
      refuse_axis(x, op::permute, Count, x.rank(), mistake_kind::axis_out_of_range, where);
    for (int k = 0; k < Count; ++k)
      extra.order[static_cast<unsigned>(k)] = static_cast<std::int8_t>(normal[k]);
    return apply_op(op_tag<op::permute>{}, extra, where, std::forward<X>(x));
  }
};

template <class Extents> constexpr shape shape_from(Extents const& extents, int rank) {
  shape s;
  for (s.rank = 0; s.rank < rank; ++s.rank) s[s.rank] = extents[s.rank].value;
  return s;
}

/// The extents of a shape argument in a description.
template <int Rank> struct extents_list {
  index_t list[Rank];
};

template <op Id> struct shape_function : describable<shape_function<Id>> {
  using describable<shape_function>::operator();

  template <tensor_operand X, int Rank>
    requires(Rank <= max_rank)
  constexpr auto operator()(X&& x, extent_argument const (&extents)[Rank],
                            source_line where = std::source_location::current()) const {
    attributes extra;
    extra.target = shape_from(extents, Rank);
    return apply_op(op_tag<Id, Rank>{}, extra, where, std::forward<X>(x));
  }
  /// The same with extents at hand.
  template <tensor_operand X, int Rank>
  constexpr auto operator()(X&& x, extents_list<Rank> const& extents,
                            source_line where = std::source_location::current()) const {
    attributes extra;
    extra.target.rank = Rank;
    for (int d = 0; d < Rank; ++d) extra.target[d] = extents.list[d];
    return apply_op(op_tag<Id, Rank>{}, extra, where, std::forward<X>(x));
  }
  template <description X, int Rank>
  constexpr auto operator()(X const& x, index_t const (&extents)[Rank],
                            source_line where = std::source_location::current()) const {
    extents_list<Rank> list{};
    for (int d = 0; d < Rank; ++d) list.list[d] = extents[d];
    return described_call<shape_function, X, extents_list<Rank>>(where, x, list);
  }
  /// To rank 0. The line has its standard type, which braces cannot make: `{0, n}` is a shape.
  template <tensor_operand X>
  constexpr auto operator()(X&& x, std::source_location where = std::source_location::current()) const {
    return apply_op(op_tag<Id, 0>{}, attributes{}, where, std::forward<X>(x));
  }
};

struct slice_function : describable<slice_function> {
  using describable<slice_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis, extent_argument start, extent_argument stop = slice_end,
                            index_t step = 1, source_line where = std::source_location::current()) const {
    attributes extra;
    extra.axis = static_cast<std::int8_t>(normal_axes(x, op::slice, axes(axis), where)[0]);
    extra.start = start.value;
    extra.stop = stop.value;
    extra.step = step;
    return apply_op(op_tag<op::slice>{}, extra, where, std::forward<X>(x));
  }
};

struct select_function : describable<select_function> {
  using describable<select_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis, index_t index,
                            source_line where = std::source_location::current()) const {
    attributes extra;
    extra.axis = static_cast<std::int8_t>(normal_axes(x, op::select, axes(axis), where)[0]);
    extra.start = index;
    return apply_op(op_tag<op::select>{}, extra, where, std::forward<X>(x));
  }
};

/// Op `Id` of a tensor and indices, along an axis of the tensor.
template <op Id> struct indexed_function : describable<indexed_function<Id>> {
  using describable<indexed_function>::operator();

  template <tensor_operand X, tensor_operand I>
  constexpr auto operator()(X&& x, I&& i, int axis = -1,
                            source_line where = std::source_location::current()) const {
    attributes extra;
    extra.axis = static_cast<std::int8_t>(normal_axes(x, Id, axes(axis), where)[0]);
    return apply_op(op_tag<Id>{}, extra, where, std::forward<X>(x), std::forward<I>(i));
  }
};

/// Shape and dtype of what a factory makes.
template <class T> constexpr attributes factory_attributes(std::span<index_t const> extents) {
  attributes extra;
  extra.type = dtype_v<T>;
  for (index_t extent : extents) extra.target[extra.target.rank++] = extent;
  return extra;
}

template <op Id, class T> struct factory_function {
  /// Eager: extents in braces.
  template <int Rank>
    requires(Rank <= max_rank)
  auto operator()(index_t const (&extents)[Rank], source_line where = std::source_location::current()) const {
    auto const extra = factory_attributes<T>(extents);
    return apply_factory(op_tag<Id, Rank, T>{}, extra, where, T(Id == op::ones));
  }
  /// The same on a device, whatever the default one is.
  template <int Rank>
    requires(Rank <= max_rank)
  auto operator()(index_t const (&extents)[Rank], device on,
                  source_line where = std::source_location::current()) const {
    auto const extra = factory_attributes<T>(extents);
    return apply_factory_on(op_tag<Id, Rank, T>{}, extra, on, where, T(Id == op::ones));
  }
  /// In a trace, and eager: extents one by one. In a trace at least one is an extent of a symbol.
  template <extent_like... Extents>
    requires(sizeof...(Extents) <= max_rank)
  constexpr auto operator()(Extents const&... extents) const {
    constexpr int rank = static_cast<int>(sizeof...(Extents));
    std::array<index_t, sizeof...(Extents)> const list{to_extent(extents)...};
    auto const extra = factory_attributes<T>(list);
    return apply_factory(op_tag<Id, rank, T>{}, extra, source_line{}, T(Id == op::ones), extents...);
  }
};

struct full_function {
  /// Eager: extents in braces. Dtypes: the value's.
  template <element T, int Rank>
    requires(Rank <= max_rank)
  auto operator()(index_t const (&extents)[Rank], T value,
                  source_line where = std::source_location::current()) const {
    auto const extra = factory_attributes<T>(extents);
    return apply_factory(op_tag<op::full, Rank, T>{}, extra, where, value);
  }
  /// The same on a device, whatever the default one is.
  template <element T, int Rank>
    requires(Rank <= max_rank)
  auto operator()(index_t const (&extents)[Rank], T value, device on,
                  source_line where = std::source_location::current()) const {
    auto const extra = factory_attributes<T>(extents);
    return apply_factory_on(op_tag<op::full, Rank, T>{}, extra, on, where, value);
  }
  /// In a trace, and eager: the value, then extents one by one, of which in a trace at least one is
  /// an extent of a symbol.
  template <element T, extent_like... Extents>
    requires(sizeof...(Extents) <= max_rank)
  constexpr auto operator()(T value, Extents const&... extents) const {
    std::array<index_t, sizeof...(Extents)> const list{to_extent(extents)...};
    auto const extra = factory_attributes<T>(list);
    return apply_factory(op_tag<op::full, int{sizeof...(Extents)}, T>{}, extra, source_line{}, value,
                         extents...);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
