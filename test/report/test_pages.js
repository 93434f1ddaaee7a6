/* The pages of real runs and of a document with every kind of figure, in headless Chromium. */
'use strict';

const assert = require('node:assert');
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');
const { test, before, after } = require('node:test');

const browsers = require('./browser.js');
const kinds = require('./kinds.js');

const folder = browsers.folder();
const at = (...names) => path.join(folder, ...names);
let browser, real, all;

/* A small run, its report, and the data beside it. */
function makePages() {
  const scenario = path.join(browsers.ROOT, 'test/bench/tiny.ini');
  browsers.warpmem('run', scenario, '-q', '-o', at('results'));
  browsers.warpmem('report', at('results'), '-o', at('real.html'), '--data', at('data'));
  browsers.replaceDocument(at('real.html'), kinds.documentText(kinds.document), at('all.html'));
}

before(async () => {
  makePages();
  browser = await browsers.launch();
  real = await browsers.open(browser, at('real.html'));
  all = await browsers.open(browser, at('all.html'));
});

after(async () => {
  await browser?.close();
  require('node:fs').rmSync(folder, { recursive: true, force: true });
});

const figure = (id) => all.page.locator(`[id="${id}"]`);

/* Where a value is drawn, in pixels of the window. */
async function placeOf(id, point) {
  await figure(id).locator('.chart').scrollIntoViewIfNeeded();
  return all.page.evaluate(([name, data]) => {
    const box = document.getElementById(name).querySelector('.chart');
    const { left, top } = box.getBoundingClientRect();
    const [x, y] = echarts.getInstanceByDom(box).convertToPixel({ gridIndex: 0 }, data);
    return [left + x, top + y];
  }, [id, point]);
}

async function tipAt(id, point) {
  const [x, y] = await placeOf(id, point);
  await all.page.mouse.move(x + 3, y + 3);
  await all.page.mouse.move(x, y);
  const tip = figure(id).locator('.tip');
  await tip.waitFor();
  await all.page.waitForTimeout(120);
  return (await tip.innerText()).replaceAll('\u00a0', ' ').split(/\s*\n\s*/).filter(Boolean);
}

const cells = (id, column) => figure(id).locator(`tbody tr:not(.spacer) td:nth-child(${column})`)
  .allInnerTexts();

test('the pages ask for nothing, and nothing is said on the console', async () => {
  assert.deepStrictEqual(real.complaints, []);
  assert.deepStrictEqual(all.complaints, []);
});

test('a request is refused by the policy of the page', async () => {
  const { page, complaints } = await browsers.open(browser, at('all.html'));
  await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => null));
  assert.match(complaints.join(), /Content Security Policy/);
  await page.close();
});

test('every figure is drawn', async () => {
  assert.deepStrictEqual(await real.page.evaluate(browsers.blankFigures), []);
  assert.deepStrictEqual(await all.page.evaluate(browsers.blankFigures), []);
  const count = await all.page.locator('figure').count();
  assert.strictEqual(count, 13);
});

test('text of the data is not taken for elements', async () => {
  assert.match((await cells('all_table', 1))[2], /<script>alert\(1\)<\/script>/);
});

test('hovering over a bar shows its parts and their sum', async () => {
  const lines = await tipAt('all_stacked_bars', [20, 1]);
  assert.strictEqual(lines[0], 'load_dram');
  const expected = kinds.STAGES.map((name, stage) => [name, 20 * (stage + 1)]);
  expected.forEach(([name, value], index) => {
    assert.strictEqual(lines[1 + 2 * index], name);
    assert.match(lines[2 + 2 * index], new RegExp(`^${value} ns +[0-9.]+ %$`));
  });
  assert.deepStrictEqual(lines.slice(-2), ['sum', '2,100 ns']); /* 20 * (1 + .. + 14) */
});

test('hovering over curves shows the value of each', async () => {
  assert.deepStrictEqual(await tipAt('all_lines', [500, 1210]), ['offered load 500 GB/s',
    'reads', '1,210 ns', 'writes', '372 ns', 'half and half', '530 ns']);
  assert.deepStrictEqual((await tipAt('all_lines', [400, 890])).slice(1),
    ['reads', '890 ns', 'writes', '356 ns'], 'a gap is no value');
});

for (const [kind, point, lines] of [
  ['bars', [3000, 1], ['L2', 'achieved', '2,105 GB/s', 'peak', '4,300 GB/s']],
  /* row 10: 100 * 1.08^10; 100 * (1 - 0.93^10); 100 * (1 - 0.9^10) */
  ['steps', [100 * 1.08 ** 10, 50], ['latency 215.9 ns', 'load_dram', '51.6 %', 'store', '65.13 %']],
  /* row 36: 500 + 300 * sin 4, 200 + 100 * cos 7.2 */
  ['areas', [9, 200], ['time 9 us', 'bytes_read', '273 GB/s', 'bytes_written', '260.8 GB/s',
    'sum', '533.8 GB/s']],
  /* 1000 + 900 * sin(8 / 3) * cos(40 / 11) */
  ['heat', [40, 8], ['channel channel 8', 'time', '10 us', 'bandwidth', '637.8 GB/s']],
  ['waterfall', [1900, 1], ['l2_queue', 'decrease', '-120.5 ns', 'so far', '1,880 ns']],
  ['tornado', [5, 0], ['machine.dram_clock', 'low', '-31.5 %', 'high', '22 %', 'values', '700 .. 1100 MHz']],
  ['points', [1, 900], ['point 0', 'capacity', '1 MiB', 'time', '900 us', 'front']],
]) {
  test(`hovering shows the values of ${kind}`, async () => {
    assert.deepStrictEqual(await tipAt(`all_${kind}`, point), lines);
  });
}

test('names of rows in a heat map do not cover each other', async () => {
  const { height } = await figure('all_heat').locator('.chart').boundingBox();
  assert.ok(height > 41 * 14, `${height}`);
});

test('series of zeros are not in the legend', async () => {
  const names = await figure('all_stacked_bars').locator('.legend-entry').allInnerTexts();
  assert.deepStrictEqual(names, kinds.STAGES);
});

test('a name has one colour on the page, and two of a figure differ', async () => {
  const colours = await all.page.evaluate(() => [...document.querySelectorAll('figure')]
    .map((one) => [...one.querySelectorAll('.legend .swatch')]
      .map((swatch) => [swatch.dataset.name, swatch.style.background])));
  const byName = new Map();
  for (const legend of colours) {
    assert.strictEqual(new Set(legend.map(([, colour]) => colour)).size, legend.length);
    for (const [name, colour] of legend) {
      assert.strictEqual(byName.get(name) ?? colour, colour, name);
      byName.set(name, colour);
    }
  }
});

test('each stage of the program has a colour of its own', async () => {
  const stages = [...browsers.warpmem('list', 'stages').matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
  const code = readFileSync(path.join(browsers.ROOT, 'scenarios/program/report/page/colours.js'), 'utf8');
  const listed = code.match(/const SHADES = \{[^]*?\};/)[0];
  assert.ok(stages.length > 30);
  for (const name of stages) assert.match(listed, new RegExp(`\\b${name}: \\[`));
});

test('a click on the legend hides a series', async () => {
  const entry = figure('all_bars').locator('.legend-entry', { hasText: 'peak' });
  await entry.click();
  assert.strictEqual(await entry.getAttribute('aria-pressed'), 'false');
  assert.deepStrictEqual(await tipAt('all_bars', [100, 1]), ['L2', 'achieved', '2,105 GB/s']);
  await entry.click();
});

test('numbers are grouped, integers exact, others of four digits', async () => {
  assert.deepStrictEqual(await cells('all_table', 2),
    ['28', '193.5', '3', '12', '', '10,000,000', '1.234e-5', '-5', '0', '100.3']);
  assert.deepStrictEqual((await cells('all_table', 3)).slice(0, 2),
    ['9,007,199,254,740,993', '12,345,678,901,234,567']);
});

test('a click on a header sorts: numbers by value, texts with their numbers, empty cells last', async () => {
  const header = (name) => figure('all_table').locator('th', { hasText: name });
  await header('value').locator('button').click();
  assert.strictEqual(await header('value').getAttribute('aria-sort'), 'ascending');
  assert.deepStrictEqual(await cells('all_table', 2),
    ['-5', '0', '1.234e-5', '3', '12', '28', '100.3', '193.5', '10,000,000', '']);
  await header('value').locator('button').click();
  assert.strictEqual(await header('value').getAttribute('aria-sort'), 'descending');
  assert.deepStrictEqual((await cells('all_table', 2)).slice(-3), ['0', '-5', '']);
  await header('name').locator('button').click();
  assert.deepStrictEqual((await cells('all_table', 1)).slice(-5),
    ['name 9', 'name 10', 'name 11', 'name 12', 'name 13']);
  await header('name').locator('button').click();
  await header('name').locator('button').click();
  assert.strictEqual((await cells('all_table', 1))[0], 'l1.latency', 'as it was');
});

test('rows are filtered by words and by comparisons', async () => {
  const box = figure('all_table').locator('input');
  for (const [text, names] of [
    ['DRAM', ['dram.cl']], ['v100.ini', ['l1.latency', 'dram.cl']],
    ['value > 100', ['l2_slice.latency', 'name 10', 'name 13']],
    ['value<=0', ['name 11', 'name 12']], ['default value=12', []],
    ['latency value>=28', ['l1.latency', 'l2_slice.latency']],
    ['>1e7', ['l1.latency', 'l2_slice.latency']],
  ]) {
    await box.fill(text);
    assert.deepStrictEqual(await cells('all_table', 1), names, text);
  }
  assert.strictEqual(await figure('all_table').locator('.count').innerText(), '2 of 10 rows');
  await box.fill('');
});

test('of a long table only the rows that are seen are elements, and all can be reached', async () => {
  const rows = figure('long_table').locator('tbody tr');
  const scroller = figure('long_table').locator('.scroller');
  assert.ok(await rows.count() < 100);
  await scroller.evaluate((box) => { box.scrollTop = box.scrollHeight; });
  await figure('long_table').getByText('point 9999', { exact: true }).waitFor();
  await figure('long_table').locator('input').fill('point "column 3" > 1,250');
  const shown = await cells('long_table', 5);
  assert.ok(shown.length > 0 && shown.every((text) => Number(text.replace(',', '')) >= 1250));
  await figure('long_table').locator('input').fill('');
});

/* For a page to evaluate: [name, text] of each figure's CSV, of which no file is made. Chromium asks
 * before a page saves more than ten, and here nobody would answer. */
function savedTexts() {
  const saved = [];
  URL.createObjectURL = (blob) => { saved.push({ text: blob.text() }); return ''; };
  HTMLAnchorElement.prototype.click = function click() { saved.at(-1).name = this.download; };
  [...document.querySelectorAll('figure .buttons button')]
    .filter((button) => button.textContent === 'CSV').forEach((button) => button.click());
  return Promise.all(saved.map(async ({ name, text }) => [name, await text]));
}

test('what is saved as CSV has the bytes of --data', async () => {
  const { page, context } = await browsers.open(browser, at('real.html'));
  const saved = new Map(await page.evaluate(savedTexts)), files = readdirSync(at('data'));
  assert.deepStrictEqual([...saved.keys()].sort(), files.sort());
  files.forEach((file) => assert.strictEqual(saved.get(file), readFileSync(at('data', file), 'utf8')));
  await context.close();
});

test('CSV quotes what needs it and keeps each digit', async () => {
  const { bytes } = await browsers.download(all.page, 'all_table', 'CSV');
  assert.strictEqual(bytes.toString().split('\r\n').slice(0, 6).join('\n'), [
    'name,value (cycles),sum (fs),from',
    'l1.latency,28,9007199254740993,platform/presets/v100.ini:19',
    'l2_slice.latency,193.5,12345678901234567,default',
    '"a <script>alert(1)</script> & ""name"", quoted",3,1,',
    'dram.cl,12,5,platform/presets/v100.ini:40', 'empty,,7,default'].join('\n'));
});

test('pictures are saved with their title and legend', async () => {
  const svg = (await browsers.download(all.page, 'all_lines', 'SVG')).bytes.toString();
  for (const text of ['Latency against load', 'half and half', 'latency (ns)', 'unloaded']) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  const png = (await browsers.download(all.page, 'all_heat', 'PNG')).bytes;
  assert.strictEqual(png.toString('latin1', 1, 4), 'PNG');
  assert.ok(png.length > 20000);
});

test('a chart has its table behind it', async () => {
  const button = figure('all_bars').locator('button', { hasText: 'Table' });
  await button.click();
  assert.strictEqual(await button.getAttribute('aria-expanded'), 'true');
  assert.deepStrictEqual(await cells('all_bars', 2), ['8,124', '2,105', '812.1']);
  await button.click();
  assert.ok(!await figure('all_bars').locator('table').isVisible());
});

test('the page is dark where the system is, and the switch changes it', async () => {
  const { page } = await browsers.open(browser, at('real.html'), { colorScheme: 'dark' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const text = () => page.evaluate(() => document.querySelector('.chart text').getAttribute('fill')
    ?? document.querySelector('.chart text').style.fill);
  const dark = [await paper(), await text()];
  assert.strictEqual(dark[0], 'rgb(20, 24, 29)');
  await page.locator('.switch').click();
  const light = [await paper(), await text()];
  assert.strictEqual(light[0], 'rgb(245, 246, 248)');
  assert.notStrictEqual(light[1], dark[1]);
  await page.close();
});

test('on paper all charts are there, light, as wide as the page, and the buttons are not', async () => {
  const { page } = await browsers.open(browser, at('all.html'), { colorScheme: 'dark' });
  await page.evaluate(() => {
    addEventListener('beforeprint', () => {
      window.seen = [...document.querySelectorAll('.chart > div:first-child')]
        .map((box) => [box.clientWidth, box.clientHeight > 80]);
      window.rows = document.querySelectorAll('#long_table tbody tr').length;
    });
  });
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  assert.ok((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length >= 4);
  const seen = await page.evaluate(() => window.seen);
  assert.deepStrictEqual(seen, Array(11).fill([680, true])); /* PAPER_WIDTH */
  assert.strictEqual(await page.evaluate(() => window.rows), 100);
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  assert.ok(!await page.locator('.buttons').first().isVisible());
  assert.deepStrictEqual(await page.evaluate(browsers.blankFigures), []);
  await page.emulateMedia({ media: 'screen' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await page.close();
});

test('of an idle machine there is still something to be seen', async () => {
  browsers.replaceDocument(at('real.html'), kinds.documentText(kinds.idle), at('idle.html'));
  const { page, complaints } = await browsers.open(browser, at('idle.html'));
  const inside = (id, what) => page.locator(`[id="${id}"] ${what}`);
  assert.deepStrictEqual(await inside('low_curve', '.legend-entry').allInnerTexts(), ['DRAM read']);
  assert.match(await inside('low_curve', 'figcaption').innerText(), /DRAM peak: 898\sGB\/s\.$/);
  const reach = await page.evaluate(() => {
    const box = document.querySelector('#low_curve .chart');
    return echarts.getInstanceByDom(box).getModel().getComponent('yAxis').axis.scale.getExtent()[1];
  });
  assert.ok(reach < 1, `the axis ends at ${reach}`);
  const labels = await inside('low_bars', '.chart text').allTextContents();
  for (const text of ['< 0.1', '5.3', '0', '100']) assert.ok(labels.includes(text), text);
  assert.strictEqual(await inside('worse_bars', 'figcaption').innerText(), 'As How busy.');
  const cut = await inside('worse_bars', '.chart text').evaluateAll((texts) => texts
    .filter((text) => text.getBoundingClientRect().right
      > text.closest('.chart').getBoundingClientRect().right).map((text) => text.textContent));
  assert.deepStrictEqual(cut, []);
  assert.deepStrictEqual((await inside('hollow_table', 'th:visible').allInnerTexts())
    .map((text) => text.split(' ')[0]), ['a', 'share']);
  assert.strictEqual(await inside('hollow_table', 'td:visible').count(), 2);
  assert.deepStrictEqual(complaints, []);
  await page.close();
});

test('nothing is wider than a narrow screen', async () => {
  const { page } = await browsers.open(browser, at('all.html'), { viewport: { width: 400, height: 800 } });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400);
  await page.close();
});

test('on a narrow screen no name is cut, and none covers another', async () => {
  browsers.replaceDocument(at('real.html'), kinds.documentText(kinds.crowded), at('crowded.html'));
  const { page } = await browsers.open(browser, at('crowded.html'), { viewport: { width: 420, height: 4000 } });
  await page.waitForFunction(() => document.querySelectorAll('.chart svg').length === 5);
  const wrong = await page.evaluate(() => [...document.querySelectorAll('.chart svg')].flatMap((chart) => {
    const whole = chart.getBoundingClientRect();
    const names = [...chart.querySelectorAll('text')].filter(({ textContent }) => textContent)
      .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    const isCut = ({ box }) => box.left < whole.left || box.right > whole.right
      || box.top < whole.top || box.bottom > whole.bottom;
    const isCovered = ({ box }, i) => names.slice(i + 1).some(({ box: other }) => (
      Math.min(box.right, other.right) - Math.max(box.left, other.left) > 3
      && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 4));
    return names.filter((name, i) => isCut(name) || isCovered(name, i)).map(({ text }) => text);
  }));
  assert.deepStrictEqual(wrong, []);
  assert.match(await page.locator('#long_marks figcaption').innerText(),
    / Marks: 1: doubled, .* l1.prt_entries 0; .*; 8: doubled, .* l1.prt_entries 7\.$/);
  const svg = (await browsers.download(page, 'long_marks', 'SVG')).bytes.toString();
  assert.ok(svg.includes('>8: doubled, '));
  await page.close();
});

test('the name of an axis is not cut beside few rows', async () => {
  browsers.replaceDocument(at('real.html'), kinds.documentText(kinds.flat), at('flat.html'));
  const { page } = await browsers.open(browser, at('flat.html'));
  const name = await page.evaluate(() => {
    const box = document.querySelector('#flat_heat .chart');
    const { height } = box.getBoundingClientRect();
    const [group] = echarts.getInstanceByDom(box).getZr().storage.getDisplayList()
      .filter(({ style }) => style.text === 'access_scheduler.read_queue (entries)')
      .map((text) => text.getPaintRect().clone());
    return { height, top: group.y, bottom: group.y + group.height };
  });
  assert.ok(name.top >= 0 && name.bottom <= name.height, JSON.stringify(name));
  await page.close();
});

/* Also of a screen that has become narrow. */
test('on a narrow screen long names have two lines and leave room for what they name', async () => {
  const { page } = await browsers.open(browser, at('all.html'), { viewport: { width: 1280, height: 800 } });
  const lines = page.locator('#all_waterfall .chart text', { hasText: /L1 refuses|table full/ });
  assert.deepStrictEqual(await lines.allTextContents(), ['L1 refuses: pending request', 'table full']);
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForFunction(() => echarts.getInstanceByDom(
    document.querySelector('#all_waterfall .chart')).getWidth() < 400);
  assert.deepStrictEqual(await lines.allTextContents(), ['L1 refuses: pending', 'request table full']);
  const [first, left, plot] = await page.evaluate(() => {
    const box = document.querySelector('#all_waterfall .chart');
    const grid = echarts.getInstanceByDom(box).getModel().getComponent('grid');
    const texts = [...box.querySelectorAll('text')].map((text) => text.getBoundingClientRect().left);
    return [Math.min(...texts), box.getBoundingClientRect().left,
      grid.coordinateSystem.getRect().width];
  });
  assert.ok(first >= left, `${first} is left of ${left}`);
  assert.ok(plot > 90, `${plot} pixels are left`);
  await page.close();
});
