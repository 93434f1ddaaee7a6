/* A colour belongs to a name - a stage, a class of requests, a variant - in all figures. The style
 * sheet has the hues; a shade above 0 goes towards the paper, below 0 towards the ink. Waiting is
 * strong, distance pale. */

const SHADES = {
  issue: ['blue', 0.55], l1_queue: ['blue', 0], coalesce: ['blue', 0.35],
  replay: ['blue', -0.3], l1_tag: ['blue', 0.7],
  texture_queue: ['teal', 0], texture_tag: ['teal', 0.45], fragment_fifo: ['teal', -0.3],
  reorder: ['teal', 0.25], filter: ['teal', 0.65],
  translate: ['magenta', 0],
  request_queue: ['orange', 0], request_transfer: ['orange', 0.4], request_wire: ['orange', 0.68],
  l2_queue: ['green', 0], l2_tag: ['green', 0.6], l2_miss_queue: ['green', -0.3],
  l2_order: ['green', 0.2], l2_cross: ['green', 0.42],
  rop: ['brown', 0],
  memory_wire: ['purple', 0.6], scheduler_wait: ['purple', 0],
  dram_precharge: ['vermilion', -0.3], dram_activate: ['vermilion', 0],
  dram_column: ['vermilion', 0.35], dram_bus: ['vermilion', 0.62],
  reply_queue: ['yellow', -0.15], reply_transfer: ['yellow', 0.3], reply_wire: ['yellow', 0.62],
  prt_wait: ['grey', -0.25], fill: ['grey', 0.2], writeback: ['grey', 0.55],
  page: ['magenta', -0.3], memory_cache: ['purple', 0.3],
  load_l1_hit: ['blue', 0.3], load_merged: ['sky', 0], load_shared_l1: ['teal', 0.2],
  load_l2_hit: ['green', 0], load_memory_cache: ['purple', -0.3], load_dram: ['vermilion', 0],
  store: ['purple', 0], atomic: ['brown', 0], shared: ['yellow', 0],
  texture_hit: ['blue', -0.3], texture_merged: ['sky', -0.3], texture_shared_l1: ['teal', -0.4],
  texture_l2_hit: ['green', 0.4], texture_memory_cache: ['purple', 0.2],
  texture_dram: ['vermilion', 0.4],
  data_hit: ['teal', 0], data_merged: ['teal', 0.4], data_shared_l1: ['teal', -0.2],
  data_l2_hit: ['green', -0.3], data_memory_cache: ['purple', 0.6], data_dram: ['vermilion', -0.3],
  data_store: ['purple', 0.4], data_atomic: ['brown', 0.4],
  read: ['blue', 0], reads: ['blue', 0], bytes_read: ['blue', 0], achieved: ['blue', 0],
  write: ['orange', 0], writes: ['orange', 0], bytes_written: ['orange', 0],
  peak: ['grey', 0.35], low: ['blue', 0], high: ['orange', 0],
  front: ['vermilion', 0], 'front, lowest third': ['vermilion', 0.55],
  'front, middle third': ['vermilion', 0], 'front, highest third': ['vermilion', -0.4],
  others: ['grey', 0.2], other: ['grey', 0.2],
  increase: ['vermilion', 0], decrease: ['blue', 0], total: ['grey', -0.1],
};
const HUES = ['blue', 'orange', 'green', 'magenta', 'purple', 'sky', 'vermilion', 'brown', 'teal',
  'yellow', 'grey'];
const FURTHER = HUES.slice(0, 10);
const ROUNDS = [0, 0.4, -0.3, 0.6];

const given = new Map();

function shadeOf(name) {
  return Object.hasOwn(SHADES, name) ? SHADES[name] : given.get(name) ?? ['grey', 0];
}

/* Of the strongest shades that the figure has room for, the one with the fewest names. */
function freeShade(taken) {
  const uses = new Map();
  for (const shade of given.values()) uses.set(String(shade), (uses.get(String(shade)) ?? 0) + 1);
  const count = (shade) => uses.get(String(shade)) ?? 0;
  for (const round of ROUNDS) {
    const free = FURTHER.map((hue) => [hue, round]).filter((shade) => !taken.has(String(shade)));
    const least = Math.min(...free.map(count));
    if (free.length) return free.find((shade) => count(shade) === least);
  }
  return ['grey', 0];
}

/* Names that the table above does not know get hues in the order of their first figure, none that
 * another name there has. */
function giveColours(names) {
  const known = (name) => Object.hasOwn(SHADES, name) || given.has(name);
  const taken = new Set(names.filter(known).map((name) => String(shadeOf(name))));
  for (const name of names.filter((one) => !known(one))) {
    const shade = freeShade(taken);
    given.set(name, shade);
    taken.add(String(shade));
  }
}

function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function mixColours(one, other, share) {
  const to = channels(other);
  const mixed = channels(one).map((c, i) => Math.round(c + (to[i] - c) * share));
  return `#${mixed.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
}

/* The colours of the style sheet, as they are now: light or dark. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const theme = { font: getComputedStyle(document.body).fontFamily };
  for (const name of ['ink', 'muted', 'line', 'paper', 'panel', ...HUES]) theme[name] = read(name);
  theme.ramp = read('ramp').split(/[\s,]+/);
  theme.diverging = read('diverging').split(/[\s,]+/);
  return theme;
}

function colourOf(theme, name) {
  const [hue, shade] = shadeOf(name);
  return mixColours(theme[hue], shade < 0 ? theme.ink : theme.panel, Math.abs(shade));
}
