// guardjit: expr/composite/concat.hpp: tensors one after another along an axis, and along a new one
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_CONCAT_HPP
#define GUARDJIT_EXPR_COMPOSITE_CONCAT_HPP

#include <guardjit/expr/composite/unsqueeze.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// An operand that is not there.
struct no_part {};
/// What may stand behind the first two operands: more of them, then the axis.
template <class Part>
concept part_or_axis = tensor_operand<Part> || std::same_as<Part, int> || std::same_as<Part, no_part>;

/// Two tensors as one.
template <class A, class B>
constexpr auto concat_two(A const& a, B const& b, int axis, source_line where) {
  attributes extra;
  extra.axis = static_cast<std::int8_t>(normal_axes(a, op::concat, axes(axis), where)[0]);
  return apply_op(op_tag<op::concat>{}, extra, where, a, b);
}
/// Operands `First` to `Last` of a tuple, as a balanced tree.
template <std::size_t First, std::size_t Last, class Parts>
constexpr auto concat_range(Parts const& parts, int axis, source_line where) {
  if constexpr (Last - First == 1) {
    return std::get<First>(parts);
  } else {
    constexpr std::size_t middle = (First + Last) / 2;
    return concat_two(concat_range<First, middle>(parts, axis, where),
                      concat_range<middle, Last>(parts, axis, where), axis, where);
  }
}
/// The same for operands of one type, whose number is known at run time; `Part` is the result's type.
template <class Part>
constexpr Part concat_list(std::span<Part const> parts, int axis, source_line where) {
  if (parts.size() == 1) return parts[0];
  std::size_t const middle = parts.size() / 2;
  return eval(concat_two(concat_list(parts.first(middle), axis, where),
                         concat_list(parts.subspan(middle), axis, where), axis, where));
}

/// Parts that have one type, which is that of their concat: in an array or a vector.
template <class List>
concept part_list = requires(List const& list) {
  { std::span(list).size() } -> std::same_as<std::size_t>;
  requires tensor_operand<decltype(std::span(list)[0])>;
};

template <class Join> struct joining_function : describable<joining_function<Join>> {
  using describable<joining_function>::operator();

  /// Two to eight operands, then the axis. It is one template, so that the line can stand behind.
  template <tensor_operand A, tensor_operand B, part_or_axis C = no_part, part_or_axis D = no_part,
            part_or_axis E = no_part, part_or_axis F = no_part, part_or_axis G = no_part,
            part_or_axis H = no_part, part_or_axis I = no_part>
  constexpr auto operator()(A const& a, B const& b, C const& c = {}, D const& d = {}, E const& e = {},
                            F const& f = {}, G const& g = {}, H const& h = {}, I const& i = {},
                            source_line where = std::source_location::current()) const {
    return collected(where, std::tuple(a, b), c, d, e, f, g, h, i);
  }
  /// Any number of operands of one type, at least one.
  template <part_list List>
  constexpr auto operator()(List const& list, int axis = -1,
                            source_line where = std::source_location::current()) const {
    if (std::span(list).size() == 0)
      raise<shape_error>(fixed_text{} << "guardjit: concat(xs, axis): there must be a tensor; "
                                      << where);
    return Join::list(list, axis, where);
  }

 private:
  template <class Parts, class Next, class... More>
  static constexpr auto collected(source_line where, Parts const& parts, Next const& next,
                                  More const&... more) {
    if constexpr (std::is_same_v<Next, no_part>) {
      return Join::tuple(parts, -1, where);
    } else if constexpr (std::is_same_v<Next, int>) {
      static_assert((std::is_same_v<More, no_part> && ...),
                    "guardjit: concat(xs..., axis): the axis is last");
      return Join::tuple(parts, next, where);
    } else if constexpr (sizeof...(More) == 0) {
      return Join::tuple(std::tuple_cat(parts, std::tuple(next)), -1, where);
    } else {
      return collected(where, std::tuple_cat(parts, std::tuple(next)), more...);
    }
  }
};

struct concat_join {
  template <class... Part>
  static constexpr auto tuple(std::tuple<Part...> const& parts, int axis, source_line where) {
    return concat_range<0, sizeof...(Part)>(parts, axis, where);
  }
  static constexpr auto list(auto const& parts, int axis, source_line where) {
    using part = std::remove_cvref_t<decltype(std::span(parts)[0])>;
    return concat_list(std::span<part const>(parts), axis, where);
  }
};

struct stack_join {
  template <class... Part>
  static constexpr auto tuple(std::tuple<Part...> const& parts, int axis, source_line where) {
    return std::apply(
        [&](Part const&... part) {
          return concat_join::tuple(std::tuple(unsqueeze(part, axis, where)...), axis, where);
        },
        parts);
  }
  static constexpr auto list(auto const& parts, int axis, source_line where) {
    return stacked(std::span(parts), axis, where);
  }

 private:
  template <class Part, std::size_t Count>
  static constexpr auto stacked(std::span<Part, Count> parts, int axis, source_line where) {
    if (parts.size() == 1) return eval(unsqueeze(parts[0], axis, where));
    std::size_t const middle = parts.size() / 2;
    std::span<Part> const all(parts);
    return eval(concat_two(stacked(all.first(middle), axis, where),
                           stacked(all.subspan(middle), axis, where), axis, where));
  }
};

}  // namespace detail

/// Tensors one after another along an axis that they have, by default the last: `concat(a, b, c, 0)`;
/// or those of an array or vector: `concat(parts, 0)`.
/// Shapes: the other extents are equal. Dtypes: promoted.
/// Throws: `shape_error` where ranks or other extents differ; `index_error` where there is no such axis.
/// Complexity: one pass in a compiled function; eager code copies once for each level of a balanced tree.
/// Modes: `concat` of two, once less than there are operands. Rules: N2, N5.
inline constexpr detail::joining_function<detail::concat_join> concat{};

/// Tensors of one shape along a new axis, by default the last: `stack(a, b, 0)`. As `concat`.
/// Modes: `reshape` for each operand, then as `concat`. Rules: N2, N5.
inline constexpr detail::joining_function<detail::stack_join> stack{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
