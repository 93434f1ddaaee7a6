/* The pages of a run, a comparison and a study, made from real runs, in headless Chromium. */
'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { rmSync } = require('node:fs');
const { test, before, after } = require('node:test');

const browsers = require('./browser.js');

const folder = browsers.folder();
const at = (...names) => path.join(folder, ...names);
const SCENARIO = path.join(browsers.ROOT, 'test/bench/tiny.ini');
const FEW_MISSES = ['--set', 'l1.prt_entries=2'];
const STUDY = ['--set', 'study.l1.prt_entries=1, 2, 4, 8',
  '--set', 'study.l2_slice.capacity=24KiB, 48KiB, 96KiB'];

/* What a page is made of, a chart of it to hover over, a table and a column of numbers there. */
const PAGES = [
  { name: 'run', sources: ['one'], chart: 'stage_breakdown', table: 'stage_sums', column: 'share' },
  { name: 'comparison', sources: ['one', 'other'], chart: 'comparison_pressure',
    table: 'comparison_summary', column: 'A:baseline' },
  { name: 'study', sources: ['study'], chart: 'study_tornado-time_ns', table: 'study_points',
    column: 'time_ns' },
];
let browser;
const pages = {};

function run(name, words) {
  browsers.warpmem('run', SCENARIO, '-q', '-o', at(name), ...words);
  return at(name, 'baseline');
}

before(async () => {
  const made = { one: run('one', []), other: run('other', FEW_MISSES), study: at('study') };
  browsers.warpmem('study', 'run', SCENARIO, '-q', '-j', '2', '-o', at('study'), ...STUDY);
  browser = await browsers.launch();
  for (const { name, sources } of PAGES) {
    const file = at(`${name}.html`);
    const words = sources.map((source) => made[source]);
    browsers.warpmem('report', ...words, '-o', file);
    const document = JSON.parse(browsers.warpmem('report', ...words, '--json'));
    pages[name] = { ...await browsers.open(browser, file), document };
  }
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const figuresOf = ({ document }) => document.sections.flatMap((section) => section.figures);

/* Moves over the middle of each of some places of a chart until something is shown. */
async function hover(page, id) {
  const chart = page.locator(`[id="${id}"] .chart`);
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  const tip = page.locator(`[id="${id}"] .tip`);
  for (let step = 1; step < 20; step++) {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * step / 20);
    await page.waitForTimeout(60);
    if (await tip.isVisible()) return (await tip.innerText()).replaceAll('\u00a0', ' ');
  }
  return '';
}

for (const { name, chart, table, column } of PAGES) {
  const cells = async (index) => {
    const texts = await pages[name].page
      .locator(`[id="${table}"] tbody tr:not(.spacer) td:nth-child(${index + 1})`).allInnerTexts();
    return texts.filter(Boolean).map((text) => Number(text.replaceAll(',', '')));
  };

  test(`the page of a ${name} has each figure, asks for nothing and complains of nothing`, async () => {
    const { page, complaints } = pages[name];
    const figures = figuresOf(pages[name]);
    assert.ok(figures.length > 5, `${figures.length} figures`);
    assert.deepStrictEqual(
      await page.evaluate(() => [...document.querySelectorAll('figure')].map(({ id }) => id)),
      figures.map(({ id }) => id));
    assert.deepStrictEqual(await page.evaluate(browsers.blankFigures), []);
    assert.deepStrictEqual(complaints, []);
  });

  test(`hovering over a chart of a ${name} shows a category and its values`, async () => {
    const shown = await hover(pages[name].page, chart);
    const figure = figuresOf(pages[name]).find(({ id }) => id === chart);
    const row = figure.rows.find(([category]) => shown.startsWith(category));
    assert.ok(row, shown);
    assert.match(shown, /[0-9] (ns|%)/);
  });

  test(`a table of a ${name} is sorted and filtered`, async () => {
    const { page } = pages[name];
    const figure = figuresOf(pages[name]).find(({ id }) => id === table);
    const index = figure.columns.findIndex((one) => one.name === column);
    const header = page.locator(`[id="${table}"] thead th`).nth(index).locator('button');
    const rising = (numbers) => [...numbers].sort((a, b) => a - b);
    await header.click();
    const sorted = await cells(index);
    assert.ok(sorted.length > 5);
    assert.deepStrictEqual(sorted, rising(sorted));
    await header.click();
    assert.deepStrictEqual(await cells(index), rising(sorted).reverse());
    const limit = sorted[Math.floor(sorted.length / 2)];
    await page.locator(`[id="${table}"] input`).fill(`"${column}" > ${limit}`);
    const left = await cells(index);
    assert.ok(left.length < sorted.length && left.every((number) => number >= limit), `${left}`);
    await page.locator(`[id="${table}"] input`).fill('');
  });
}
