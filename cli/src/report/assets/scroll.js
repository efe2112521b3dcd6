'use strict';
// Scrolling to a part of a pane, however the pane scrolls and whatever covers it.

/** Margin above and below the part that is scrolled to, in pixels. */
const REVEAL_MARGIN = 24;

/** @param {HTMLElement[]} elements */
function heightOf(elements) {
  const boxes = elements.map((one) => one.getBoundingClientRect());
  return Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
}

/** @param {HTMLElement} pane */
function scrollsItself(pane) {
  return getComputedStyle(pane).overflowY === 'auto';
}

/**
 * The element that scrolls a pane, and the part of the window in which the pane is visible.
 * @param {HTMLElement} pane
 */
function visibleArea(pane) {
  const isOwn = scrollsItself(pane);
  const scroller = isOwn ? pane : /** @type {HTMLElement} */ (document.scrollingElement);
  const box = isOwn ? pane.getBoundingClientRect() : { top: 0, bottom: innerHeight };
  let { top, bottom } = { top: Math.max(box.top, 0), bottom: Math.min(box.bottom, innerHeight) };
  if (!isOwn) {
    const card = pane.parentElement?.querySelector('.is-open .claim-card');
    if (card && getComputedStyle(card).position === 'fixed') bottom = card.getBoundingClientRect().top;
    const bar = document.querySelector('.top-bar');
    if (bar && getComputedStyle(bar).position === 'sticky') top = bar.getBoundingClientRect().height;
  }
  return { scroller, top, height: Math.max(bottom - top, 0) };
}

/**
 * Scrolls a pane until these elements are in the middle of its visible area, or their beginning is at its top if they are
 * too high. Long distances are not animated. Blocks get their real height only when they are laid out, so the position is
 * checked again.
 * @param {HTMLElement} pane
 * @param {HTMLElement[]} elements
 * @param {number} [checks] how often to check again
 */
function scrollInto(pane, elements, checks = 3) {
  const { scroller, top, height } = visibleArea(pane);
  const start = Math.min(...elements.map((one) => one.getBoundingClientRect().top));
  const size = heightOf(elements);
  const fits = size <= height - 2 * REVEAL_MARGIN;
  if (fits && start >= top + REVEAL_MARGIN && start + size <= top + height - REVEAL_MARGIN) return;
  const distance = start - top - (fits ? (height - size) / 2 : REVEAL_MARGIN);
  if (Math.abs(distance) < 2) return;
  const isNear = Math.abs(distance) < 1.5 * height && checks === 3;
  const isSmooth = isNear && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  scroller.scrollBy({ top: distance, behavior: isSmooth ? 'smooth' : 'instant' });
  if (!isSmooth && checks > 0) requestAnimationFrame(() => scrollInto(pane, elements, checks - 1));
}
