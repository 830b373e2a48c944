// A scrolling plot of the last SECONDS on a canvas, with a legend that shows the newest values.

const SECONDS = 30;
const STEPS = [1, 2, 5, 10, 20, 40, 60, 100, 200, 500, 1000, 2000, 5000];

export class Plot {
  #canvas;
  #series;
  #stacked;
  #samples = [];
  #values;

  // `series` is an array of { name, style, digits }. `style` is a number of a colour in style.css.
  constructor(canvas, legend, series, { stacked = false } = {}) {
    this.#canvas = canvas;
    this.#series = series;
    this.#stacked = stacked;
    this.#values = series.map(({ name, style }) => {
      const item = document.createElement("li");
      item.className = `stage-${style}`;
      const value = document.createElement("b");
      value.textContent = "–";
      item.append(document.createElement("i"), `${name} `, value);
      legend.append(item);
      return value;
    });
    new ResizeObserver(() => this.#draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
  }

  // Adds one value for each series.
  add(values) {
    const now = performance.now() / 1000;
    this.#samples.push({ time: now, values });
    while (now - this.#samples[0].time > SECONDS + 1) this.#samples.shift();
    values.forEach((value, index) => {
      this.#values[index].textContent = value.toFixed(this.#series[index].digits);
    });
    this.#draw();
  }

  clear() {
    this.#samples = [];
    for (const value of this.#values) value.textContent = "–";
    this.#draw();
  }

  get length() {
    return this.#samples.length;
  }

  #top() {
    const sums = this.#samples.map(({ values }) =>
      this.#stacked ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values));
    const most = Math.max(...sums, 0) * 1.1;
    return STEPS.find((step) => step >= most) ?? most;
  }

  #draw() {
    const scale = devicePixelRatio;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    const context = this.#canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(this.#canvas);
    const color = (name) => style.getPropertyValue(name);
    const top = this.#top();
    const left = 34;
    const now = this.#samples.at(-1)?.time ?? 0;
    const x = (time) => width - ((now - time) / SECONDS) * (width - left);
    const y = (value) => 6 + (1 - value / top) * (height - 12);

    context.font = `11px ${style.fontFamily}`;
    context.fillStyle = color("--muted");
    context.strokeStyle = color("--border");
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const value of [0, top / 2, top]) {
      context.fillText(String(value), left - 8, y(value));
      context.beginPath();
      context.moveTo(left, Math.round(y(value)) + 0.5);
      context.lineTo(width, Math.round(y(value)) + 0.5);
      context.stroke();
    }
    if (this.#samples.length < 2) return;
    context.beginPath();
    context.rect(left, 0, width - left, height);
    context.clip();
    const base = this.#samples.map(() => 0);
    this.#series.forEach(({ style: number }, index) => {
      const points = this.#samples.map(({ time, values }, at) =>
        [x(time), y(base[at] + values[index])]);
      context.beginPath();
      for (const point of points) context.lineTo(...point);
      if (this.#stacked) {
        const floor = this.#samples.map(({ time }, at) => [x(time), y(base[at])]).reverse();
        for (const point of floor) context.lineTo(...point);
        this.#samples.forEach(({ values }, at) => { base[at] += values[index]; });
        context.fillStyle = color(`--stage-${number}`);
        context.fill();
      } else {
        context.strokeStyle = color(`--stage-${number}`);
        context.lineWidth = 2;
        context.lineJoin = "round";
        context.stroke();
      }
    });
  }
}
