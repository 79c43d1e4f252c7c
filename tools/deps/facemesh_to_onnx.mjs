// usage: node facemesh_to_onnx.mjs facemesh.json TARGET.onnx
//
// Rewrites MediaPipe's FaceMesh, a graph of TensorFlow.js with its weights as float16 beside it, as an ONNX file that
// OpenCV reads. The same input makes the same bytes. Any operation that the graph does not have today ends it.
//
// Layouts: a picture is N H W C there and N C H W here, so weights are turned and channels are the second dimension.
import {readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

const [from, to] = process.argv.slice(2);
if (!to) throw new Error("usage: node facemesh_to_onnx.mjs facemesh.json TARGET.onnx");
const graph = JSON.parse(readFileSync(from, "utf8"));
const kOutputs = {output_mesh: 1404, output_faceflag: 1};
const kSide = 192;

// --- Protocol buffers, as far as ONNX needs them: a message is a Buffer of fields ---

function varint(value) {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const message = (field, ...parts) => {
  const bytes = Buffer.concat(parts.flat());
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
};
const text = (field, value) => message(field, Buffer.from(value));

// --- ONNX's messages; the numbers of the fields are those of onnx.proto ---

const kInteger = 2,
  kText = 3,
  kIntegers = 7; // AttributeProto's types
const kFloat = 1; // TensorProto's

const integers = (name, values) =>
  message(
    5,
    text(1, name),
    values.map((each) => number(8, each)),
    number(20, kIntegers),
  );
const integer = (name, value) => message(5, text(1, name), number(3, value), number(20, kInteger));
const word = (name, value) => message(5, text(1, name), text(4, value), number(20, kText));
const node = (operation, inputs, output, ...attributes) =>
  message(
    1,
    inputs.map((each) => text(1, each)),
    text(2, output),
    text(3, output),
    text(4, operation),
    attributes,
  );
const tensor = (name, shape, values) =>
  message(
    5,
    shape.map((each) => number(1, each)),
    number(2, kFloat),
    text(8, name),
    message(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  );
const value = (field, name, shape) =>
  message(
    field,
    text(1, name),
    message(
      2,
      message(
        1,
        number(1, kFloat),
        message(
          2,
          shape.map((each) => message(1, number(1, each))),
        ),
      ),
    ),
  );

// --- The weights ---

function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1,
    exponent = (bits >> 10) & 31,
    fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) throw new Error("a weight is no number");
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function readWeights() {
  const weights = new Map();
  for (const group of graph.weightsManifest) {
    const bytes = Buffer.concat(group.paths.map((path) => readFileSync(join(dirname(from), path))));
    let at = 0;
    for (const {name, shape, dtype, quantization} of group.weights) {
      const size = shape.reduce((product, each) => product * each, 1);
      const half = quantization?.dtype === "float16";
      if (!half && dtype !== "int32") throw new Error(`${name} is ${dtype}`);
      const read = half
        ? (i) => fromHalf(bytes.readUInt16LE(at + 2 * i))
        : (i) => bytes.readInt32LE(at + 4 * i);
      const values = Float32Array.from({length: size}, (_, i) => read(i));
      at += size * (half ? 2 : 4);
      weights.set(name, {shape, values});
    }
    if (at !== bytes.length) throw new Error("the weights are longer than the graph says");
  }
  return weights;
}

// Height, width, first, second -> the two named channels first.
function turned({shape: [height, width, first, second], values}, depthwise) {
  const shape = depthwise ? [first * second, 1, height, width] : [second, first, height, width];
  const result = new Float32Array(values.length);
  for (let at = 0; at < values.length; ++at) {
    const place = Math.floor(at / second / first),
      b = at % second,
      a = Math.floor(at / second) % first;
    const channel = depthwise ? a * second + b : b * first + a;
    result[channel * height * width + place] = values[at];
  }
  return {shape, values: result};
}

// --- The graph ---

const weights = readWeights();
const tensors = [],
  nodes = [];
const strings = (each) =>
  each.attr.fused_ops.list.s.map((coded) => Buffer.from(coded, "base64").toString());

function keep(name, {shape, values}) {
  tensors.push(tensor(name, shape, values));
  return name;
}
const perChannel = (name) => ({
  shape: [weights.get(name).values.length, 1, 1],
  values: weights.get(name).values,
});
const flat = (name) => ({
  shape: [weights.get(name).values.length],
  values: weights.get(name).values,
});

function window(each, kernel) {
  const [, high, wide] = each.attr.strides.list.i.map(Number);
  const same = Buffer.from(each.attr.padding.s, "base64").toString() === "SAME";
  return [
    integers("kernel_shape", kernel),
    integers("strides", [high, wide]),
    word("auto_pad", same ? "SAME_UPPER" : "VALID"),
  ];
}

function convolve(each, output, depthwise) {
  const kernel = turned(weights.get(each.input[1]), depthwise);
  const inputs = [each.input[0], keep(each.input[1], kernel)];
  if (each.input[2]) inputs.push(keep(each.input[2], flat(each.input[2])));
  nodes.push(
    node(
      "Conv",
      inputs,
      output,
      ...window(each, kernel.shape.slice(2)),
      integer("group", depthwise ? kernel.shape[0] : 1),
    ),
  );
}

const kOperations = {
  _FusedConv2D(each) {
    const [bias, activation, ...more] = strings(each);
    if (bias !== "BiasAdd" || !["Prelu", undefined].includes(activation) || more.length)
      throw new Error(`${each.name} is fused with ${strings(each)}`);
    const sum = activation ? `${each.name}/sum` : each.name;
    convolve(each, sum, false);
    if (activation)
      nodes.push(node("PRelu", [sum, keep(each.input[3], perChannel(each.input[3]))], each.name));
  },
  DepthwiseConv2dNative: (each) => convolve(each, each.name, true),
  AddV2: (each) => nodes.push(node("Add", each.input, each.name)),
  Prelu: (each) =>
    nodes.push(
      node("PRelu", [each.input[0], keep(each.input[1], perChannel(each.input[1]))], each.name),
    ),
  MaxPool: (each) =>
    nodes.push(
      node(
        "MaxPool",
        each.input,
        each.name,
        ...window(each, each.attr.ksize.list.i.slice(1, 3).map(Number)),
      ),
    ),
  Pad(each) {
    const pads = weights.get(each.input[1]).values; // begin and end of N, H, W, C
    const order = [0, 3, 1, 2];
    nodes.push(
      node(
        "Pad",
        each.input.slice(0, 1),
        each.name,
        word("mode", "constant"),
        integers("pads", [...order.map((i) => pads[2 * i]), ...order.map((i) => pads[2 * i + 1])]),
      ),
    );
  },
  Sigmoid: (each) => nodes.push(node("Sigmoid", each.input, each.name)),
  // What is reshaped has one place left, so that the order of its dimensions does not matter.
  Reshape: (each) =>
    nodes.push(node("Flatten", each.input.slice(0, 1), each.name, integer("axis", 1))),
};

const {
  inputs: {input_1: input},
  outputs,
} = graph.signature;
const byName = new Map(graph.modelTopology.node.map((each) => [each.name, each]));
const done = new Set([input.name.split(":")[0], ...weights.keys()]);

function add(name) {
  if (done.has(name)) return;
  done.add(name);
  const each = byName.get(name);
  for (const before of each.input) add(before);
  if (!kOperations[each.op]) throw new Error(`the graph has an operation '${each.op}'`);
  kOperations[each.op](each);
}

const results = Object.entries(kOutputs).map(([name, size]) => {
  const identity = byName.get(outputs[name].name.split(":")[0]);
  add(identity.input[0]);
  nodes.push(node("Identity", identity.input, name));
  return value(12, name, [1, size]);
});

writeFileSync(
  to,
  Buffer.concat([
    number(1, 4), // of the format, the one of opset 9
    text(2, "idkiosk"),
    message(
      7,
      nodes,
      text(2, "facemesh"),
      tensors,
      value(11, input.name.split(":")[0], [1, 3, kSide, kSide]),
      results,
    ),
    message(8, number(2, 9)),
  ]),
);
