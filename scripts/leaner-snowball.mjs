// What of the package snowball-stemmers is bundled: called by build-lazy.mjs, checked by test/unit/text/stemmers.test.ts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { replaceEach, replacePart } from './replace-part.mjs'

const UNUSED = ['armenian', 'basque', 'irish', 'porter', 'slovene', 'tamil']

const STEMMER =
  /^ {4}var (\w+)Stemmer = function \(_SnowballStemmer\d*\) \{[\s\S]*?^ {4}\}\(SnowballStemmer\);$/gm
/** As they pack best: those that share much stand near each other. */
const ORDER =
  'turkish russian spanish catalan portuguese romanian italian czech norwegian french swedish german dutch english danish hungarian finnish arabic'
const MARK = '// Stemmers stand here.'
const WRAPPER = [
  /, \{\n +key: '([\w$]+)',\n +value: function \1\(\) \{\n +var (_get\d*);\n\n[\s\S]*?case (\d):\n +return this\.\1\$esjava\$\3\.apply\(this, args\);\n +\}\n\n +return \(\2 = .*\n +\}\n +\}/g,
  '',
]
const SUFFIX = [/\$esjava\$\d/g, '']
const FIELD = [
  /get: function get\(\) \{\n.*hasOwnProperty.*this\._\$esjava\$\w+ = (0|false|null|"");\n +\},\n +set: function set\(v\) \{\n.*\n +\}/g,
  'value: $1',
]
/** Members whose names nobody outside knows. */
const NAMED = /(?<=key: ')(?:\w+_\w+|cursor|limit|bra|ket|current)(?=')/g
/** A class each: members as an object writes them, and tables that are made when they are first read. */
const CLASS = [
  /var (\w+) = function \((_\w+)\) \{\n +_inherits\(\1, \2\);\n\n +function \1\(\) \{\n[^}]*\}\n([\s\S]*?)\n +return \1;\n +\}\((\w+)\);/g,
  'class $1 extends $4 {}\n$3',
]
const TABLE_MEMBER = [
  /get: function get\(\) \{\n +delete .*;\n +return [\w$.]+ = (.*);\n +\}/g,
  'value: () => $1',
]
const MEMBERS = [
  [
    /\n +\}, \{\n +key: '([\w$]+)',\n +get: function get(\(\) \{\n.*\n +\}),\n +set: function set(?=\()/g,
    ',\n get $1$2,\n set $1',
  ],
  [/\[\{\n +key: '([\w$]+)',\n +value: (?:function [\w$]+(?=\())?/g, '{ $1: '],
  [/\n +\}, \{\n +key: '([\w$]+)',\n +value: (?:function [\w$]+(?=\())?/g, ',\n $1: '],
  [/\n +\}\](?=[,)])/g, '}'],
  [/([\w$]+): (?=\([\w, ]*\) \{\n)/g, '$1'],
]
const CREATE_CLASS = [
  /var _createClass = function \(\) \{[\s\S]*?\n {4}\}\(\);/,
  `function _createClass(made, members, tables) {
        Object.defineProperties(made.prototype, Object.getOwnPropertyDescriptors(members));
        for (const name in tables)
            Object.defineProperty(made, name, {
                configurable: true,
                get() {
                    const value = tables[name]();
                    Object.defineProperty(made, name, { value });
                    return value;
                }
            });
    }`,
]
/** Loops that run once, to be left by their label. */
const LABEL = [/(lab\d+): do \{/g, '$1: {']
const LABEL_END = [/\} while \(false\);/g, '}']
const UNDEFINED = [/^( {16}var \w+) = undefined;$/gm, '$1;']
/** The endings that an algorithm knows, each with its number, and with the longest other one that it holds. */
const TABLE = /(?<= = )\[new Among\(.*\)\](?=;$)/gm
/** An ending, as its class would make it. */
const AMONG = `
    class Among {
        constructor(s, substring_i, result, methodname, obj) {
            this.s = s.split('').map(function (one) { return one.charCodeAt(0); });
            this.substring_i = substring_i;
            this.result = result;
            this.method = methodname ? obj[methodname] : null;
            this.methodobject = obj;
        }
    }
`
/** Makes a table of what `packTable` wrote; stands behind the class. */
const READ_TABLE = `
    function readTable(text, holds) {
        var result;
        var known = [];
        return text.split('|').map(function (entry, n) {
            var parts = entry.split('~');
            if (parts[1]) result = +parts[1];
            known.push(parts[0]);
            while (n-- && !parts[0][holds](known[n]));
            return new Among(parts[0], n, result);
        });
    }
`

/**
 * The package is one file, translated from Java: its stemmers are classes, one after another, found by their names. A
 * method stands there twice, the second time to choose by the number of arguments, of which there is one choice each;
 * a field is a pair of functions. Both go, which is a third of the file and most of the time of a stem. What a class is
 * written as, and the names of its members, are made short too.
 * @param {string} root the project's folder
 * @returns {Promise<string>} the source, as a CommonJS module
 */
export async function leanerSnowball(root) {
  const file = join(root, 'node_modules/snowball-stemmers/snowball-stemmers.js')
  let source = await readFile(file, 'utf8')
  for (const name of UNUSED) {
    const parts = [
      new RegExp(`^ {4}var ${name}Stemmer = [^]*?^ {4}\\}\\(SnowballStemmer\\);$`, 'm'),
      new RegExp(`^ +${name}: ${name}Stemmer,$`, 'm'),
    ]
    for (const part of parts) source = replacePart(source, part, '')
  }
  for (const [part, instead] of [WRAPPER, SUFFIX, FIELD, LABEL, LABEL_END, UNDEFINED])
    source = replaceEach(source, part, instead)
  const found = new Map(Array.from(source.matchAll(STEMMER), ([text, name]) => [name, text]))
  const ordered = ORDER.split(' ').map((name) => found.get(name))
  if (found.size !== ordered.length) throw new Error('The library has other stemmers')
  const [first] = found.values()
  for (const text of found.values())
    source = source.replace(text, () => (text === first ? MARK : ''))
  source = source.replace(MARK, () => ordered.join('\n'))
  source = replaceEach(source, TABLE, packTable)
  source = replacePart(source, ...CREATE_CLASS)
  source = replacePart(source, /^ {4}var Among = [\s\S]*?^ {4}\}\(\);$/m, AMONG + READ_TABLE)
  const names = new Set(source.matchAll(NAMED).map(([name]) => name))
  const short = new Map([...names].map((name, index) => [name, `$${index.toString(36)}`]))
  source = source.replaceAll(/\b\w+\b/g, (name) => short.get(name) ?? name)
  for (const [part, instead] of [CLASS, TABLE_MEMBER, ...MEMBERS])
    source = replaceEach(source, part, instead)
  return source
}

/** Which other ending an ending holds can be found anew, so only endings and numbers stay. */
function packTable(table) {
  const entries = readEntries(table)
  const text = entries
    .map(({ ending, result }, n) =>
      result === entries[n - 1]?.result ? ending : `${ending}~${result}`,
    )
    .join('|')
  const holds = ['startsWith', 'endsWith'].find((one) => isTold(entries, one))
  const isPlain = entries.every(({ ending, method }) => !method && !/[|~]/.test(ending))
  return holds && isPlain ? `readTable(${JSON.stringify(text)}, '${holds}')` : table
}

const readEntries = (table) =>
  runInNewContext(table, {
    Among: function Among(ending, held, result, method) {
      return { ending, held, result, method }
    },
  })

const isTold = (entries, holds) =>
  entries.every(
    ({ ending, held }, n) =>
      entries.slice(0, n).findLastIndex((other) => ending[holds](other.ending)) === held,
  )
