/* Prints how long a page takes from navigation until all is drawn, and its size: of 60 charts and
 * of a table with 10,000 rows. Nothing fails here, because times depend on the host. */
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const browsers = require('../report/browser.js');
const { figure, documentText } = require('../report/kinds.js');

const range = (count) => Array.from({ length: count }, (_, i) => i);
const wave = (row, i) => 1000 * (1 + Math.sin(row / 7) * Math.cos(i / 13));

function makeFigure(index) {
  const names = ['time|us', ...range(6).map((i) => `curve ${i}|ns`)];
  const rows = (count, width) => range(count)
    .map((row) => [row, ...range(width).map((i) => wave(row, i))]);
  const kind = ['lines', 'areas', 'heat', 'stacked_bars', 'steps', 'bars'][index % 6];
  const made = kind === 'heat'
    ? figure(kind, `Figure ${index}`, ['unit', ...range(128).map(String)], rows(40, 128))
    : figure(kind, `Figure ${index}`, names, rows(kind.includes('bars') ? 12 : 128, 6));
  return { ...made, id: `figure_${index}` };
}

function makeDocument(figures) {
  return {
    schema_version: 1, program: 'warpmem', kind: 'run', title: 'Benchmark', subtitle: null, lead: [],
    sections: [{ id: 'all', title: 'All', text: null, figures }],
  };
}

function longTable() {
  const columns = ['point', ...range(29).map((i) => `column ${i}|ns`)];
  return figure('table', 'Points', columns,
    range(10000).map((row) => [`point ${row}`, ...range(29).map((i) => wave(row, i))]));
}

async function measure(browser, name, figures, folder) {
  const file = path.join(folder, `${name}.html`);
  browsers.replaceDocument(path.join(folder, 'real.html'), documentText(makeDocument(figures)), file);
  const { page } = await browsers.open(browser, file);
  const ready = await page.evaluate(() => Number(document.body.dataset.ready));
  const size = fs.statSync(file).size / 1e6;
  console.log(`${name.padEnd(12)} ${(ready / 1000).toFixed(2)} s until all is drawn, ${size.toFixed(1)} MB`);
  await page.close();
}

async function main() {
  const reason = browsers.missing();
  if (reason) {
    console.log(`skipped: ${reason}`);
    return;
  }
  const folder = browsers.folder();
  const scenario = path.join(browsers.ROOT, 'test/bench/tiny.ini');
  browsers.warpmem('run', scenario, '-q', '-o', path.join(folder, 'results'));
  browsers.warpmem('report', path.join(folder, 'results'), '-o', path.join(folder, 'real.html'));
  const browser = await browsers.launch();
  await measure(browser, '60 charts', range(60).map(makeFigure), folder);
  await measure(browser, '10,000 rows', [longTable()], folder);
  await browser.close();
  fs.rmSync(folder, { recursive: true });
}

main();
