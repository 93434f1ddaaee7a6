/* A document with a figure of each kind, as `report --json` prints one. */
'use strict';

const STAGES = ['issue', 'l1_queue', 'l1_tag', 'request_queue', 'request_wire', 'l2_queue', 'l2_tag',
  'scheduler_wait', 'dram_activate', 'dram_column', 'dram_bus', 'reply_queue', 'reply_wire', 'fill'];

function figure(kind, title, columns, rows, more) {
  return {
    id: `all_${kind}`, topic: kind, kind, title, shows: `A figure of kind ${kind}.`, unit: 'ns',
    read: 'Longer is more.', note: '', columns: columns.map((column) => {
      const [name, unit] = column.split('|');
      return { name, unit: unit ?? null };
    }),
    axes: {}, marks: [], rows, ...more,
  };
}

const range = (count) => Array.from({ length: count }, (_, i) => i);

/* Exact, so that a test can name the values: class c spends 10 * (s + 1) * c in stage s. */
const stacked = figure('stacked_bars', 'Where the latency went',
  ['requests', ...STAGES.map((name) => `${name}|ns`), 'rop|ns'],
  ['load_l2_hit', 'load_dram', 'store'].map((name, row) => [
    name, ...STAGES.map((_, stage) => 10 * (stage + 1) * (row + 1)), 0]));

const bars = figure('bars', 'Bandwidth, achieved and peak', ['level', 'achieved|GB/s', 'peak|GB/s'],
  [['L1', 8123.5, 13800], ['L2', 2105.25, 4300], ['DRAM', 812.125, 900]], {
    unit: 'GB/s', marks: [{ axis: 'y', at: 15000, label: 'limit' }],
  });

const lines = figure('lines', 'Latency against load',
  ['offered load|GB/s', 'reads|ns', 'writes|ns', 'half and half|ns'],
  range(20).map((i) => [
    50 * (i + 1), 400 + i * i * 10, 300 + i * 8, i % 7 ? 350 + i * 20 : null]), {
    axes: { x: { name: 'offered load', unit: 'GB/s', logarithmic: false },
      y: { name: 'latency', unit: 'ns', logarithmic: true } },
    marks: [{ axis: 'x', at: 900, label: 'peak' }, { axis: 'y', at: 400, label: 'unloaded' }],
  });

const steps = figure('steps', 'How many requests are faster', ['latency|ns', 'load_dram|%', 'store|%'],
  range(60).map((i) => [100 * 1.08 ** i, 100 * (1 - 0.93 ** i), 100 * (1 - 0.9 ** i)]), {
    unit: '%', axes: { x: { name: 'latency', unit: 'ns', logarithmic: true } },
    marks: [{ axis: 'x', at: 500, label: 'p50' }, { axis: 'x', at: 2200, label: 'p90' },
      { axis: 'x', at: 6000, label: 'p99' }],
  });

const areas = figure('areas', 'Bandwidth over time',
  ['time|us', 'bytes_read|GB/s', 'bytes_written|GB/s'],
  range(128).map((i) => [i / 4, 500 + 300 * Math.sin(i / 9), 200 + 100 * Math.cos(i / 5)]),
  { unit: 'GB/s' });

const heat = figure('heat', 'Bytes of each channel over time',
  ['channel', ...range(96).map((i) => `${i * 0.25}`)],
  range(41).map((row) => [`channel ${row}`,
    ...range(96).map((i) => 1000 + 900 * Math.sin(row / 3) * Math.cos(i / 11))]), {
    axes: { x: { name: 'time', unit: 'us', logarithmic: false },
      y: { name: 'channel', unit: null, logarithmic: false },
      value: { name: 'bandwidth', unit: 'GB/s', logarithmic: false } },
  });

const waterfall = figure('waterfall', 'What changed', ['step', 'change|ns', 'role'],
  [['baseline', 2000, 'total'], ['l2_queue', -120.5, 'change'], ['scheduler_wait', 310.25, 'change'],
    ['L1 refuses: pending request table full', -40, 'change'], ['prt-64', 2149.75, 'total']]);

const tornado = figure('tornado', 'What matters', ['parameter', 'low|%', 'high|%', 'values'],
  [['machine.dram_clock', -31.5, 22, '700 .. 1100 MHz'], ['l2_slice.latency', 12, -9.5, '100 .. 300'],
    ['l1.prt_entries', -3, 0.5, '64 .. 512']], { unit: '%' });

const points = figure('points', 'Time against cost', ['capacity|MiB', 'time|us', 'label', 'group'],
  range(60).map((i) => [2 ** (i % 8), 900 / (1 + (i % 8)) + (i * 37) % 200, `point ${i}`,
    i < 8 ? 'front' : 'others']), {
    unit: 'us', axes: { x: { name: 'capacity', unit: 'MiB', logarithmic: true } },
  });

/* A ring of four switches with an SM each; the first way round is busy. */
const graph = figure('graph', 'Links', ['link', 'from', 'to', 'busy|%'],
  range(4).flatMap((i) => [[`up-${i}`, `SM ${i}`, `router[${i}]`, 10 * i],
    [`ring-${i}`, `router[${i}]`, `router[${(i + 1) % 4}]`, 90]]), {
    unit: '%', axes: { value: { name: 'busy', unit: '%', logarithmic: false } },
    places: range(4).flatMap((i) => [
      [`router[${i}]`, Math.sin(i * Math.PI / 2), Math.cos(i * Math.PI / 2)],
      [`SM ${i}`, 1.3 * Math.sin(i * Math.PI / 2), 1.3 * Math.cos(i * Math.PI / 2)]]),
  });

const table = figure('table', 'Parameters', ['name', 'value|cycles', 'sum|fs', 'from'], [
  ['l1.latency', 28, 9007199254740993n, 'platform/presets/v100.ini:19'],
  ['l2_slice.latency', 193.5, 12345678901234567n, 'default'],
  ['a <script>alert(1)</script> & "name", quoted', 3, 1n, null],
  ['dram.cl', 12, 5n, 'platform/presets/v100.ini:40'], ['empty', null, 7n, 'default'],
  ['name 10', 10000000, 70n, 'default'], ['name 9', 0.000012345, 8n, 'default'],
  ['name 11', -5, 9n, 'default'], ['name 12', 0, 10n, 'default'], ['name 13', 100.25, 11n, 'default'],
]);

const long = { ...figure('table', 'Ten thousand points',
  ['point', ...range(29).map((i) => `column ${i}|ns`)],
  range(10000).map((row) => [
    `point ${row}`, ...range(29).map((i) => (row * 7919 + i * 104729) % 10007 / 8)])),
id: 'long_table' };

/* More curves than hues, of more points than pixels. */
const many = { ...figure('lines', 'Twelve curves', ['time|us', ...range(12).map((i) => `SM ${i}|%`)],
  range(3000).map((x) => [x, ...range(12).map((i) => 8 * i + 3 * Math.sin(x / (50 + i)))])),
id: 'many_curves' };

const document = {
  schema_version: 1, program: 'warpmem test', kind: 'run', title: 'All kinds', subtitle: 'a fixture',
  lead: [{ label: 'Bound by', text: 'DRAM bus: 91 % of peak bandwidth was used' },
    { label: 'Next', text: 'more channels, or fewer bytes' }],
  sections: [
    { id: 'bars', title: 'Bars', text: 'Categories.', figures: [stacked, bars, waterfall, tornado] },
    { id: 'curves', title: 'Curves', text: null, figures: [lines, steps, areas, points, many] },
    { id: 'heat', title: 'Heat', text: null, figures: [heat, graph] },
    { id: 'tables', title: 'Tables', text: null, figures: [table, long] },
  ],
};

/* What an idle machine gives: a curve far below its mark, a part alone, shares of next to nothing,
 * columns without a cell. */
const idle = {
  ...document, sections: [{ id: 'idle', title: 'Idle', text: null, figures: [
    { ...figure('lines', 'Bandwidth', ['time|us', 'DRAM read|GB/s'],
      range(9).map((i) => [i, 0.2]), {
        unit: 'GB/s', axes: { y: { name: 'bandwidth', unit: 'GB/s', logarithmic: false } },
        marks: [{ axis: 'y', at: 898, label: 'DRAM peak' }],
      }), id: 'low_curve' },
    { ...figure('bars', 'How busy', ['part', 'used|%'],
      [['SM issue', 0.0058], ['L1 data', 5.2951], ['L2 data', 0]], {
        unit: '%', marks: [{ axis: 'x', at: 100, label: 'all of it' }],
      }), id: 'low_bars' },
    { ...figure('bars', 'What a part gains', ['part', 'gain|%'],
      [['oldest_cta', -2.4375], ['withhold', -16.9375]], { unit: '%' }), id: 'worse_bars' },
    { ...figure('table', 'Stalls', ['a warp is', 'least|%', 'share|%'], [['waiting', null, 100]]),
      id: 'hollow_table' },
  ] }],
};

/* Names where there is little room: of axes, marks that are close together, bars' ends, places. */
const percent = { name: 'share of the time that warps were resident', unit: '%', logarithmic: false };
const crowded = {
  ...document, sections: [{ id: 'crowded', title: 'Crowded', text: null, figures: [
    { ...stacked, id: 'long_title', axes: { x: percent },
      rows: [['sm[60]: waits least', ...stacked.rows[0].slice(1)]] },
    { ...figure('bars', 'Look-ups', ['slice', 'look-ups|'],
      [['partition[1].slice[1]', 99706], ['partition[1].slice[0]', 98646]],
      { unit: '', marks: [{ axis: 'x', at: 99000, label: 'mean' }] }), id: 'near_bars' },
    { ...figure('steps', 'Latencies', ['latency|ns', 'requests|'],
      range(60).map((i) => [100 * 1.08 ** i, i * i]), {
        unit: '', axes: { x: { name: 'latency', unit: 'ns', logarithmic: true } },
        marks: [100, 110, 4000, 4200, 4400].map((at) => ({ axis: 'x', at, label: `name ${at}` })),
      }), id: 'near_marks' },
    { ...lines, id: 'long_marks', axes: {}, marks: range(8).map((i) => ({ axis: 'x', at: 40 * i + 50,
      label: `doubled, access_scheduler.page_policy open, l1.prt_entries ${i}` })) },
    { ...graph, id: 'ends', places: graph.places.map(([name, x, y]) => [name, 2 * x, y]) },
  ] }],
};

/* Three rows, whose axis has a longer name than they are high. */
const flat = {
  ...document, sections: [{ id: 'flat', title: 'Flat', text: null, figures: [
    { ...heat, id: 'flat_heat', rows: heat.rows.slice(0, 3), axes: { ...heat.axes,
      y: { name: 'access_scheduler.read_queue', unit: 'entries', logarithmic: false } } },
  ] }],
};

/* As json_text writes integers and reals; integers beyond doubles are BigInt here. */
function documentText(value) {
  const exact = (key, cell) => (typeof cell === 'bigint' ? `@${cell}@` : cell);
  return JSON.stringify(value, exact, 1).replace(/"@(-?\d+)@"/g, '$1').replaceAll('<', '\\u003c');
}

module.exports = { crowded, document, documentText, figure, flat, idle, STAGES };
