// What of the PDF parser is bundled: called by build-lazy.mjs; test/api/readers-in-workerd.test.ts reads files with it and
// with the whole parser.
import { readFile } from 'node:fs/promises'
import * as esbuild from 'esbuild'
import { bounded } from './bounded-pdf.mjs'
import { replaceEach, replacePart } from './replace-part.mjs'

/** Classes that draw, edit, print or fill in forms. */
const UNUSED_CLASSES = [
  ...['CanvasGraphics', 'CanvasDependencyTracker', 'CanvasBBoxTracker', 'DOMFilterFactory'],
  ...['InternalRenderTask', 'FreeDrawOutliner', 'FreeDrawOutline', 'FontFaceObject', 'FontInfo'],
  ...['PDFEditor', 'SignatureExtractor', 'AnnotationFactory', 'AnnotationEditor'],
  ...['AnnotationEditorLayer', 'FreeTextEditor', 'HighlightEditor', 'StampEditor'],
  ...['SignatureEditor', 'InkEditor', 'DatasetReader', 'DatasetXMLParser'],
  // Files are given as bytes.
  ...['PDFNetworkStream', 'PDFNetworkStreamReader', 'PDFFetchStream', 'PDFFetchStreamReader'],
  // What stands about a document in XML: as many elements as anybody writes there, and the title stands elsewhere too.
  'MetadataParser',
  // The tree of tags, which is not read for text.
  ...['StructTreeRoot', 'StructTreePage'],
  // Pictures, shadings, and the functions that colours are computed by.
  ...['PDFImage', 'JpegImage', 'MeshShading', 'RadialAxialShading', 'FunctionBasedShading'],
  'QueueOptimizer',
  ...['PDFFunction', 'PsWasmCompiler', 'PsJsCompiler', 'PSStackToTree', 'PSStackBasedInterpreter'],
]

const UNUSED_FUNCTIONS = [
  ...['getXfaFontName', 'getXfaFontDict', 'OpenJPEG', 'decodeScan'],
  ...['getFilenameFromContentDispositionHeader', 'getFontSubstitution'],
  ...['compileType3Glyph', 'compileFontInfo', 'compileCharString', 'compileGlyf'],
]

/** Of the reader of content streams, which also reads the drawings that glyphs of Type 3 are: their boxes count as text. */
const UNUSED_METHODS = [
  'buildPaintImageXObject',
  'handleColorN',
  'parseShading',
  'handleTilingType',
  // Of what shows fonts and meshes in a browser.
  ...['_loadTestFont', '_prepareFontLoadEvent', 'loadSystemFont', 'loadMeshShader'],
  // Of pages and documents what is neither text nor who wrote it: drawings, notes, forms, places to jump to, settings of a viewer.
  ...['render', '_pumpOperatorList', '_abortOperatorList', '_startRenderPage', '_renderPageChunk'],
  ...['getAnnotationsData', 'collectAnnotationsByType', 'saveNewAnnotations', '_parsedAnnotations'],
  ...['fieldObjects', 'calculationOrderIds'],
  ...['viewerPreferences', 'openAction', 'optionalContentConfig', 'destinations'],
  ...['extractPages', 'getRenderingIntent', 'parseDestDictionary'],
]

/** Asked to forget what it never laid over a page. */
const TEXT_LAYER = 'static cleanup() {\n  }\n'

/** Told of limits for pictures that it never makes smaller. */
const IMAGE_RESIZER = 'static setOptions() {\n  }\n'

/**
 * @returns {esbuild.Plugin} the PDF parser less its Brotli decoder, because `guardPdf` refuses such files before it sees
 * them, less the list of all it has on `globalThis`, which would keep its viewer in the bundle, and less what draws, edits
 * and fills in forms: we read text. Such a class, function or method is left empty, so that whoever names it finds one,
 * and what it alone used falls away.
 */
export function withoutViewer() {
  const parts = [
    [
      /makeBrotliDecode=\(\)=>\{.*?return decode\}(?=,\w+=makeBrotliDecode\(\);)/su,
      'makeBrotliDecode=()=>()=>{throw Error("Brotli is refused before")}',
    ],
    [/globalThis\._pdfjsTestingUtils=\{\w+\},globalThis\.pdfjsLib=\{[^}]*\};/u, ''],
  ]
  return {
    name: 'without-viewer',
    setup(build) {
      build.onLoad({ filter: /\/unpdf\/dist\/pdfjs\.mjs$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const [part, instead] of parts) contents = replacePart(contents, part, instead)
        // Printed anew, what stands at the top ends with the next brace at the start of a line, a method with one of two spaces.
        contents = (await esbuild.transform(contents, { target: 'es2024' })).code
        contents = withoutForms(contents)
        for (const name of UNUSED_CLASSES) contents = emptyClass(contents, name)
        contents = emptyClass(contents, 'TextLayer', TEXT_LAYER)
        contents = emptyClass(contents, 'ImageResizer', IMAGE_RESIZER)
        // How drawings are put together.
        contents = replacePart(
          contents,
          /^addState\(\w+, [\s\S]*?^\}\);\n(?=var NullOptimizer)/m,
          '',
        )
        for (const name of UNUSED_FUNCTIONS) contents = emptyFunction(contents, name)
        for (const name of UNUSED_METHODS) contents = emptyMethod(contents, name)
        // A run is turned round as a whole when it is written from right to left, but the letters of one sign are not.
        contents = replacePart(
          contents,
          /(function runBidiTransform\((\w+)\) \{\n\s*let \w+ = \2\.str)\.join/,
          '$1.map((sign) => /^[\\u0590-\\u08ff]{2}/.test(sign) ? [...sign].reverse().join("") : sign).join',
        )
        // Maps of codes come as text (`src/knowledge/read/pdf-cid-maps.ts`), and are read once for all fonts.
        contents = replacePart(
          contents,
          /let \{ cMapData: \w+, isCompressed: \w+ \} = await (\w+)\((\w+)\), \w+ = new CMap\(true\);\n.*new Lexer\(new (\w+)\(.*;/,
          'let found = await $1($2);\n  return found.map ??= parseCMap(new CMap(true), new Lexer(new $3(found.cMapData)), $1, null);',
        )
        contents = withSortedGlyphs(contents)
        // Tables that are made when they are first asked for.
        contents = replaceEach(contents, /(?<==) (?=getLookupTableFactory\()/g, ' /* @__PURE__ */ ')
        contents = bounded(contents)
        return { contents, loader: 'js' }
      })
    },
  }
}

/** XFA, a form instead of pages, which `readPdf` does not switch on; and annotations, whose maker is emptied. */
function withoutForms(source) {
  const lessXfa = replacePart(
    source,
    /^var \w+ = class XFAObject \{\n[\s\S]*?^\}, (\w+) = class XFAFactory \{[\s\S]*?(?=^\}, AnnotationFactory = class)/m,
    'var $1 = class XFAFactory {\n',
  )
  return replacePart(lessXfa, /^var Annotation = class \{\n[\s\S]*?^\};\n(?=const \w+ = )/m, '')
}

/** The 4,300 names of glyphs, by what they stand for and by steps: so they pack to two thirds. They are looked up by name alone. */
function withSortedGlyphs(source) {
  const table =
    /(?<=getLookupTableFactory\(function\((\w+)\) \{\n)\s*\1\.A = 65, \1\.AE = .*;(?=\n\}\))/
  return replacePart(source, table, (assignments) => {
    const entry = /(?:\.(\w+)|\[["`](.+?)["`]\]) = (\w+)/g
    const glyphs = Array.from(assignments.matchAll(entry), ([, word, quoted, code]) => ({
      name: word ?? quoted,
      code: Number(code),
    })).sort((a, b) => a.code - b.code)
    const steps = glyphs.map(({ code }, at) => code - (glyphs[at - 1]?.code ?? 0))
    const names = glyphs.map(({ name }) => name).join(' ')
    const into = assignments.trim().split('.')[0]
    return `  let code = 0; const steps = "${steps.join(' ')}".split(" ");
  "${names}".split(" ").forEach((name, at) => { ${into}[name] = code += Number(steps[at]); });`
  })
}

function emptyClass(source, name, body = '') {
  const part = new RegExp(
    `^(.*\\bclass ${name}\\b|(?:var |\\}, )${name} = class)[^{\\n]*\\{\\n[^]*?^\\}`,
    'm',
  )
  return replacePart(source, part, (_, head) => `${head} {\n${body}}`)
}

function emptyFunction(source, name) {
  const part = new RegExp(`^(?:async )?function ${name}\\(.*\\{\\n[^]*?^\\}`, 'm')
  return replacePart(source, part, `function ${name}() {\n}`)
}

function emptyMethod(source, name) {
  const part = new RegExp(`^  (?:async |get |static )?${name}\\(.*\\{\\n[^]*?^  \\}`, 'm')
  return replacePart(source, part, `  ${name}() {\n  }`)
}
