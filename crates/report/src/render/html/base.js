// The data, and how elements are made. Text of the program only ever becomes text, never markup.

const data = JSON.parse(document.getElementById("data").textContent);
const diagnoses = data.diagnoses || {};
const files = data.files || [];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "onclick") made.addEventListener("click", value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(3).filter(child => child !== null && child !== undefined && child !== ""));
  return made;
}

// Control characters, and those that change the direction of writing, as escape sequences.
function printable(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, letter => {
    const number = letter.charCodeAt(0).toString(16);
    return letter < "\x80" ? `\\x${number.padStart(2, "0")}` : `\\u{${number}}`;
  });
}

const code = text => element("code", {}, text);

// A sentence, in which code is in backticks.
function sentence(text) {
  const parts = String(text || "").split("`");
  if (parts.length % 2 === 0) return [String(text)];
  return parts.map((part, at) => at % 2 ? code(part) : part);
}

// Parts of statements are described in words, with code in backticks.
function sentenceOrCode(text) {
  return text.includes("`") ? sentence(text) : code(text);
}

function capitalised(text) {
  const all = text.charAt(0).toUpperCase() + text.slice(1);
  return all === "" || all.endsWith(".") ? all : all + ".";
}

function plural(count, one, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many || one + "s"}`;
}

const fileNumber = name => files.findIndex(file => file.name === name);
const severalFiles = files.length > 1;

function shortFile(name) {
  return String(name || "").split("/").pop();
}

function placeText(at) {
  if (!at) return "";
  return severalFiles ? `${shortFile(at.file)}:${at.line}` : `line ${at.line}`;
}

// A button that shows a place in the source.
function placeButton(at, text) {
  if (!at) return "";
  const button = element("button", { class: "place", type: "button", title: `Show ${at.file}:${at.line}` },
    text || placeText(at));
  button.addEventListener("click", event => {
    event.stopPropagation();
    source.show(at);
  });
  return button;
}

// A button that goes to a step of the time line, by its number in the trace.
function stepButton(number, text) {
  const button = element("button", { class: "step", type: "button", title: `Go to step ${number} on the time line` },
    text || `step ${number}`);
  button.addEventListener("click", event => {
    event.stopPropagation();
    panels.open("timeline");
    timeline.goToNumber(number);
  });
  return button;
}

// What the keys do is announced once to those who listen.
function announce(text) {
  document.getElementById("status").textContent = text;
}
