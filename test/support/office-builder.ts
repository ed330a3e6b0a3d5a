import { buildZip, type ZipInput } from './zip-builder'

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** An Office Open XML file of these parts; `links` maps a part to what it refers to as `id type target`. */
export function buildOffice(
  parts: Record<string, string>,
  links: Record<string, readonly string[]>,
  more: readonly ZipInput[] = [],
): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(parts).map(([name, data]) => ({ name, data, method: 0 }))
  const relationships = Object.entries(links).map(([part, targets]) => {
    const slash = part.lastIndexOf('/') + 1
    const items = targets.map((line) => {
      const [id, type, target] = line.split(' ')
      return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
    })
    return {
      name: `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
      data: `<Relationships xmlns="${RELATIONSHIPS}">${items.join('')}</Relationships>`,
    }
  })
  return buildZip([...entries, ...relationships, ...more])
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** A Word document with this body; `parts` are further parts by type, e.g. `styles`. */
export function buildDocx(
  body: string,
  parts: Record<string, string> = {},
): Uint8Array<ArrayBuffer> {
  const related = Object.keys(parts)
  return buildOffice(
    {
      'word/document.xml': `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
      ...Object.fromEntries(
        related.map((type) => [
          `word/${type}.xml`,
          `<w:${type} xmlns:w="${WORD}">${parts[type]}</w:${type}>`,
        ]),
      ),
    },
    {
      '': ['r1 officeDocument word/document.xml'],
      'word/document.xml': related.map((type, i) => `p${i} ${type} ${type}.xml`),
    },
  )
}

/** A workbook of these sheets, each given as its rows' XML. */
export function buildXlsx(
  sheets: Record<string, string>,
  parts: { sharedStrings?: string; styles?: string; workbook?: string } = {},
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets)
  const list = names
    .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i}"/>`)
    .join('')
  return buildOffice(
    {
      'xl/workbook.xml': `<workbook>${parts.workbook ?? ''}<sheets>${list}</sheets></workbook>`,
      'xl/sharedStrings.xml': `<sst>${parts.sharedStrings ?? ''}</sst>`,
      'xl/styles.xml': `<styleSheet>${parts.styles ?? ''}</styleSheet>`,
      ...Object.fromEntries(
        names.map((name, i) => [
          `xl/sheet${i}.xml`,
          `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
        ]),
      ),
    },
    {
      '': ['r1 officeDocument xl/workbook.xml'],
      'xl/workbook.xml': [
        'a sharedStrings sharedStrings.xml',
        'b styles styles.xml',
        ...names.map((_, i) => `s${i} worksheet sheet${i}.xml`),
      ],
    },
  )
}
