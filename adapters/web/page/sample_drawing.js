// The samples for a newcomer, as pictures.

import { word } from "./words.js";

const FIGURES = [["1", "420.00"], ["2", "118.00"], ["1", "35.00"]];

/** By the name of a sample: what draws it, and the sentence that is its file's name.
 * @type {Record<string, [(canvas: HTMLCanvasElement) => HTMLCanvasElement, string]>} */
const DRAWN = { invoice: [invoice, "sample-invoice"], lake: [lake, "sample-picture"] };

/** @param {string} sample @returns {Promise<File[]>} */
export async function draw(sample) {
  if (!DRAWN[sample]) return [];
  const [paint, name] = DRAWN[sample];
  const canvas = paint(document.createElement("canvas"));
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return [new File([blob], word(name), { type: "image/png" })];
}

function invoice(canvas) {
  [canvas.width, canvas.height] = [1000, 1120];
  const words = word("sample-invoice-lines").split("|");
  const [title, date, customer, item, quantity, amount, ...rest] = words;
  const [terms, total] = [rest.pop(), rest.pop()];
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, 1000, 1120);
  pen.fillStyle = "#0f6b62";
  pen.fillRect(0, 0, 1000, 18);
  const write = (text, x, y, font = "30px Arial, sans-serif", align = "left", colour = "#1d1b18") => {
    Object.assign(pen, { font, textAlign: align, fillStyle: colour });
    pen.fillText(text, x, y);
  };
  write("Harbour Street Furniture", 70, 110, "bold 40px Arial, sans-serif");
  write("12 Harbour Street, Bristol", 70, 158, "28px Arial, sans-serif", "left", "#55524c");
  write(title, 930, 110, "bold 36px Arial, sans-serif", "right");
  write(date, 930, 158, "28px Arial, sans-serif", "right", "#55524c");
  write(customer, 70, 270);
  write(item, 70, 380, "bold 28px Arial, sans-serif");
  write(quantity, 640, 380, "bold 28px Arial, sans-serif", "right");
  write(amount, 930, 380, "bold 28px Arial, sans-serif", "right");
  pen.fillRect(70, 404, 860, 3);
  FIGURES.forEach(([pieces, price], index) => {
    const y = 470 + index * 78;
    write(rest[index], 70, y);
    write(pieces, 640, y, "30px Arial, sans-serif", "right");
    write(`£${price}`, 930, y, "30px Arial, sans-serif", "right");
  });
  pen.fillRect(70, 690, 860, 3);
  write(total, 70, 770, "bold 42px Arial, sans-serif");
  write("£573.00", 930, 770, "bold 42px Arial, sans-serif", "right");
  write(terms, 70, 930, "28px Arial, sans-serif", "left", "#55524c");
  return canvas;
}

function lake(canvas) {
  [canvas.width, canvas.height] = [960, 640];
  const pen = canvas.getContext("2d");
  const sky = pen.createLinearGradient(0, 0, 0, 400);
  sky.addColorStop(0, "#f7c98b");
  sky.addColorStop(1, "#fdf1dc");
  pen.fillStyle = sky;
  pen.fillRect(0, 0, 960, 400);
  disc(pen, 700, 170, 62, "#fff6e0");
  ridge(pen, "#8aa6ad", [[0, 300], [170, 170], [300, 270], [470, 120], [640, 280], [800, 190], [960, 300]]);
  ridge(pen, "#4f7a78", [[0, 350], [140, 280], [330, 350], [540, 260], [760, 360], [960, 290]]);
  const water = pen.createLinearGradient(0, 400, 0, 640);
  water.addColorStop(0, "#d9c9a8");
  water.addColorStop(1, "#3f6f77");
  pen.fillStyle = water;
  pen.fillRect(0, 400, 960, 240);
  pen.fillStyle = "rgba(255, 246, 224, .55)";
  for (let row = 0; row < 9; row += 1) pen.fillRect(700 - 60 + row * 3, 415 + row * 22, 120 - row * 7, 5);
  for (const [x, height] of [[90, 190], [140, 240], [200, 160], [870, 220], [820, 150]]) fir(pen, x, 430, height);
  boat(pen);
  return canvas;
}

function disc(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, Math.PI * 2);
  pen.fill();
}

function ridge(pen, colour, points) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(0, 420);
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.lineTo(960, 420);
  pen.fill();
}

function fir(pen, x, ground, height) {
  pen.fillStyle = "#23413c";
  pen.fillRect(x - 5, ground - 20, 10, 30);
  for (const [from, width] of [[0, 26], [0.25, 40], [0.5, 54]]) {
    const top = ground - height + height * from;
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x - width, top + height * 0.5);
    pen.lineTo(x + width, top + height * 0.5);
    pen.fill();
  }
}

function boat(pen) {
  pen.fillStyle = "#7a3b2e";
  pen.beginPath();
  pen.moveTo(390, 520);
  pen.quadraticCurveTo(470, 570, 560, 520);
  pen.fill();
  pen.fillStyle = "#fdf8ee";
  pen.beginPath();
  pen.moveTo(470, 380);
  pen.lineTo(470, 512);
  pen.lineTo(545, 512);
  pen.fill();
  pen.fillStyle = "#3a2a22";
  pen.fillRect(465, 376, 5, 146);
}
