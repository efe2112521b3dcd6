'use strict';
// The rows in the page: parts of compressed JSON, read when one of their values is needed.

/** @typedef {[number, number]} Place the number of a part and of a value in it */

/** Parts that stay in memory after they were read. */
const KEPT_PARTS = 12;

/** @type {Map<number, Promise<any[]>>} */
const keptParts = new Map();

/**
 * The JSON that an element of the page holds.
 * @param {string} id
 * @returns {Promise<any>}
 */
async function unpack(id) {
  const holder = document.getElementById(id);
  if (!holder) throw new Error(`This file is incomplete: its part ${id} is missing.`);
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('This browser is too old to open the report: it cannot read compressed data.');
  }
  const letters = atob(holder.textContent ?? '');
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

/**
 * The value at a place.
 * @param {Place} place
 * @returns {Promise<any>}
 */
async function valueAt([part, value]) {
  const read = keptParts.get(part) ?? unpack(`part-${part}`);
  // The least recently used part is dropped first.
  keptParts.delete(part);
  keptParts.set(part, read);
  const [oldest] = keptParts.keys();
  if (keptParts.size > KEPT_PARTS) keptParts.delete(oldest);
  return (await read)[value];
}
