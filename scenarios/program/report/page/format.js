/* Numbers as people read them: four significant digits, whole digits always kept, in groups. */

const NO_BREAK = '\u00a0';

function groupDigits(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function trimExponent(value) {
  return value.toExponential(3).replace(/\.?0+e/, 'e').replace('e+', 'e');
}

function formatNumber(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) {
    return (value < 0 ? '-' : '') + groupDigits(String(size));
  }
  if (size >= 1e9 || size < 1e-4) return trimExponent(value);
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(size)));
  const [whole, fraction] = size.toFixed(decimals).split('.');
  const rest = fraction ? fraction.replace(/0+$/, '') : '';
  return (value < 0 ? '-' : '') + groupDigits(whole) + (rest ? `.${rest}` : '');
}

function formatValue(value, unit) {
  const text = formatNumber(value);
  return text && unit ? text + NO_BREAK + unit : text;
}

/* Short, for the ticks of an axis: 1,200 and 1.2M. */
function formatTick(value) {
  const size = Math.abs(value);
  for (const [step, letter] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']]) {
    if (size >= step) return formatNumber(Number((value / step).toPrecision(4))) + letter;
  }
  return formatNumber(Number(value.toPrecision(6)));
}

function formatCell(cell) {
  return typeof cell === 'number' ? formatNumber(cell) : cell ?? '';
}

function withUnit(name, unit) {
  return unit ? `${name} (${unit})` : name;
}
