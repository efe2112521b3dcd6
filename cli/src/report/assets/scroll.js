'use strict';
// Scrolling to what was asked for, wherever a pane is scrolled and whatever lies over it.

/** Space that is kept above and below a part that is scrolled to, in pixels. */
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
 * What scrolls a pane, and the part of the window in which it can be seen.
 * @param {HTMLElement} pane
 */
function roomOf(pane) {
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
 * Scrolls a pane until these elements stand in the middle of what is seen of it, or their beginning
 * at its top; what is far away is reached at once. Blocks that were never seen change their height when they
 * are, so the way is looked at again.
 * @param {HTMLElement} pane
 * @param {HTMLElement[]} elements
 * @param {number} [looks] how often to look again
 */
function scrollInto(pane, elements, looks = 3) {
  const { scroller, top, height } = roomOf(pane);
  const start = Math.min(...elements.map((one) => one.getBoundingClientRect().top));
  const size = heightOf(elements);
  const fits = size <= height - 2 * REVEAL_MARGIN;
  if (fits && start >= top + REVEAL_MARGIN && start + size <= top + height - REVEAL_MARGIN) return;
  const distance = start - top - (fits ? (height - size) / 2 : REVEAL_MARGIN);
  if (Math.abs(distance) < 2) return;
  const isNear = Math.abs(distance) < 1.5 * height && looks === 3;
  const isSmooth = isNear && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  scroller.scrollBy({ top: distance, behavior: isSmooth ? 'smooth' : 'instant' });
  if (!isSmooth && looks > 0) requestAnimationFrame(() => scrollInto(pane, elements, looks - 1));
}
