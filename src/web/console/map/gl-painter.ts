import { EYE, rotationOf, scaleOf } from './camera'
import type { Painter } from './painter'
import { DIM, MATCH, NEAR, SELECTED } from './scene'

const PLACE = `#version 300 es
precision highp float;
layout(location=0) in vec3 place;
uniform mat3 turn;
uniform vec2 scale, pan;
uniform float level;
float nearness(float depth) { return level > .5 ? 1. : ${EYE.toFixed(1)} / (${EYE.toFixed(1)} - depth); }
vec4 placed(vec3 q) { return vec4(q.xy * nearness(q.z) * scale + pan, -q.z * .4, 1.); }
`
const POINT_VERTEX = `${PLACE}
layout(location=1) in float kind;
layout(location=2) in float weight;
layout(location=3) in float state;
uniform float ratio, grain;
flat out int shape, marks;
out float depth;
out float size;
void main() {
  vec3 q = turn * place;
  shape = int(kind);
  marks = int(state);
  depth = level > .5 ? 1. : q.z;
  float across = (7. + 7. * clamp(weight, 0., 1.)) * grain;
  if ((marks & ${MATCH | SELECTED}) != 0) across *= 1.4;
  size = across * nearness(q.z) * ratio + 6. * ratio;
  gl_Position = placed(q);
  gl_PointSize = size;
}`
const POINT_FRAGMENT = `#version 300 es
precision highp float;
flat in int shape, marks;
in float depth, size;
uniform vec3 memory, knowledge, found, ink, ground;
uniform float ratio;
out vec4 colour;
void main() {
  vec2 at = (gl_PointCoord - .5) * size;
  float away = shape == 0 ? length(at) : (abs(at.x) + abs(at.y)) * .78;
  float edge = size * .5 - 3. * ratio;
  bool ringed = (marks & ${MATCH | SELECTED | NEAR}) != 0;
  float outer = ringed ? edge + 3. * ratio : edge;
  float cover = 1. - smoothstep(outer - ratio, outer, away);
  if (cover < .05) discard;
  vec3 fill = shape == 0 ? memory : knowledge;
  float haze = clamp((1. - depth) * .3, 0., .55);
  if ((marks & ${DIM}) != 0) haze = max(haze, .72);
  vec3 shown = mix(fill, ground, haze);
  if (ringed && away > edge) {
    vec3 ring = (marks & ${SELECTED}) != 0 ? ink : (marks & ${MATCH}) != 0 ? found : mix(ink, ground, .35);
    shown = away < edge + ratio ? ground : ring;
  }
  colour = vec4(shown * cover, cover);
}`
const LINE_VERTEX = `${PLACE}
void main() { gl_Position = placed(turn * place); }`
const LINE_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 ink;
out vec4 colour;
void main() { colour = vec4(ink, 1.) * .85; }`

/** Paints by WebGL 2; null where the browser has none. */
export function createGlPainter(canvas: HTMLCanvasElement): Painter | null {
  const gl = canvas.getContext('webgl2', {
    // Without a graphics card the plain canvas is ten times as fast.
    failIfMajorPerformanceCaveat: true,
  })
  if (!gl) return null
  const points = link(gl, POINT_VERTEX, POINT_FRAGMENT)
  const lines = link(gl, LINE_VERTEX, LINE_FRAGMENT)
  if (!points || !lines) return null
  const fields = gl.createVertexArray()
  const [places, kinds, weights, states, pairs] = [0, 1, 2, 3, 4].map(() => gl.createBuffer())
  let [count, ends, grain] = [0, 0, 1]
  const fill = (buffer: WebGLBuffer | null | undefined, data: ArrayBufferView) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer ?? null)
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW)
  }
  const tie = (buffer: WebGLBuffer | null | undefined, at: number, size: number, type: number) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer ?? null)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, size, type, false, 0, 0)
  }
  gl.bindVertexArray(fields)
  tie(places, 0, 3, gl.FLOAT)
  tie(kinds, 1, 1, gl.UNSIGNED_BYTE)
  tie(weights, 2, 1, gl.FLOAT)
  tie(states, 3, 1, gl.UNSIGNED_BYTE)
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, pairs ?? null)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  gl.depthFunc(gl.LEQUAL)
  return {
    load(scene) {
      count = scene.kinds.length
      ends = scene.edges.length
      grain = scene.grain
      fill(places, scene.points)
      fill(kinds, scene.kinds)
      fill(weights, scene.weights)
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, pairs ?? null)
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, scene.edges, gl.STATIC_DRAW)
    },
    draw(camera, view, marks, colours) {
      if (gl.isContextLost()) return
      const ratio = canvas.width / view.width
      const scale = scaleOf(camera, view)
      fill(states, marks)
      gl.viewport(0, 0, canvas.width, canvas.height)
      gl.clearColor(0, 0, 0, 0)
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
      const use = (program: WebGLProgram) => {
        gl.useProgram(program)
        const at = (name: string) => gl.getUniformLocation(program, name)
        gl.uniformMatrix3fv(at('turn'), true, rotationOf(camera, view.isFlat))
        gl.uniform2f(at('scale'), (2 * scale) / view.width, (2 * scale) / view.height)
        gl.uniform2f(at('pan'), (2 * camera.x) / view.width, (-2 * camera.y) / view.height)
        gl.uniform1f(at('level'), view.isFlat ? 1 : 0)
        return at
      }
      gl.disable(gl.DEPTH_TEST)
      const ofLines = use(lines)
      gl.uniform3fv(ofLines('ink'), colours.line)
      gl.drawElements(gl.LINES, ends, gl.UNSIGNED_SHORT, 0)
      gl.enable(gl.DEPTH_TEST)
      const ofPoints = use(points)
      gl.uniform1f(ofPoints('ratio'), ratio)
      gl.uniform1f(ofPoints('grain'), grain)
      gl.uniform3fv(ofPoints('memory'), colours.memory)
      gl.uniform3fv(ofPoints('knowledge'), colours.knowledge)
      gl.uniform3fv(ofPoints('found'), colours.match)
      gl.uniform3fv(ofPoints('ink'), colours.text)
      gl.uniform3fv(ofPoints('ground'), colours.ground)
      gl.drawArrays(gl.POINTS, 0, count)
    },
    free() {
      for (const buffer of [places, kinds, weights, states, pairs]) gl.deleteBuffer(buffer ?? null)
      gl.deleteVertexArray(fields)
      gl.deleteProgram(points)
      gl.deleteProgram(lines)
    },
  }
}

function link(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram | null {
  const program = gl.createProgram()
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) return null
    gl.shaderSource(shader, text)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null
}
