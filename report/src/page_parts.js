// page_parts.js - what both pages are made of: elements.

/** An element with attributes and children; text is text, never markup. */
export function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export function button(words, onClick, attributes = {}) {
  const e = element("button", { type: "button", ...attributes }, ...[words].flat());
  e.addEventListener("click", onClick);
  return e;
}
