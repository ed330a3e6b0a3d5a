import { parseXml } from './parse-xml'

interface Style {
  name: string
  basedOn: string | null
  outlineLevel: number | null
  numberId: string | null
  numberLevel: number
}

/** What a paragraph style means for the text's structure. */
export interface StyleRole {
  /** 1 to 9, null for body text. */
  headingLevel: number | null
  isTitle: boolean
  /** Lines of a table of contents repeat the headings and are left out. */
  isContents: boolean
  /** Text whose spaces and line breaks matter. */
  isCode: boolean
  numberId: string | null
  numberLevel: number
}

const MAX_CHAIN = 20
/** As Word, LibreOffice and Pandoc call it. */
const CODE = /^(?:html )?preformatted(?: text)?$|^source ?code$/
const PLAIN: StyleRole = {
  headingLevel: null,
  isTitle: false,
  isContents: false,
  isCode: false,
  numberId: null,
  numberLevel: 0,
}

/** Reads `styles.xml` and returns the role of each paragraph style; roles are inherited through `basedOn`. */
export function readDocxStyles(bytes: Uint8Array | null): (styleId: string | null) => StyleRole {
  const styles = bytes ? parseStyles(bytes) : new Map<string, Style>()
  const roles = new Map<string, StyleRole>()
  return (styleId) => {
    if (styleId === null) return PLAIN
    let role = roles.get(styleId)
    if (!role) {
      role = findRole(styles, styleId)
      roles.set(styleId, role)
    }
    return role
  }
}

function parseStyles(bytes: Uint8Array): Map<string, Style> {
  const styles = new Map<string, Style>()
  let style: Style | null = null
  parseXml(bytes, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'style') {
        style = { name: '', basedOn: null, outlineLevel: null, numberId: null, numberLevel: 0 }
        styles.set(attributes['w:styleId'] ?? '', style)
      } else if (!style) return
      else if (name === 'name') style.name = value.toLowerCase()
      else if (name === 'basedOn') style.basedOn = value
      else if (name === 'outlineLvl') style.outlineLevel = Number(value)
      else if (name === 'numId') style.numberId = value
      else if (name === 'ilvl') style.numberLevel = Number(value) || 0
    },
    close(name) {
      if (name === 'style') style = null
    },
  })
  return styles
}

function findRole(styles: Map<string, Style>, styleId: string): StyleRole {
  const role = { ...PLAIN }
  let id: string | null = styleId
  for (let n = 0; id !== null && n < MAX_CHAIN; n++) {
    // A style the file does not define still says something by its id, e.g. Heading2.
    const style: Style | undefined = styles.get(id)
    const name = style?.name || id.toLowerCase()
    const heading = /^heading ?([1-9])/.exec(name)?.[1]
    if (heading) role.headingLevel ??= Number(heading)
    if (name === 'title') role.isTitle = true
    if (/^toc ?\d|^contents ?\d/.test(name)) role.isContents = true
    if (CODE.test(name)) role.isCode = true
    if (style?.outlineLevel !== null && style && style.outlineLevel < 9) {
      role.headingLevel ??= style.outlineLevel + 1
    }
    if (style?.numberId && role.numberId === null) {
      role.numberId = style.numberId
      role.numberLevel = style.numberLevel
    }
    id = style?.basedOn ?? null
  }
  return role
}
