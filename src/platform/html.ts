/**
 * The one place where text becomes HTML on the server. `html` escapes every interpolated string; only the
 * result of another `html` call passes as it is, so a page cannot be built from unescaped text by accident.
 */
export class Html {
  readonly #markup: string

  private constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }

  static template(parts: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    let markup = parts[0] ?? ''
    values.forEach((value, i) => {
      markup += render(value) + (parts[i + 1] ?? '')
    })
    return new Html(markup)
  }

  static script(code: string): Html {
    if (/<(?:!--|\/?script)/i.test(code)) throw new RangeError('this would end the element')
    return new Html(code)
  }

  static json(value: unknown): Html {
    return new Html(
      JSON.stringify(value).replace(
        /[<>&\u2028\u2029]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    )
  }
}

export type HtmlValue = string | number | Html | null | false | readonly Html[]

/** Builds markup; every interpolated string is escaped for element content and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.template(parts, values)
}

/** JSON that is safe inside a `<script type="application/json">` block: it cannot close the element. */
export function jsonForScript(value: unknown): Html {
  return Html.json(value)
}

/** Code of ours for a `<script>`, as it is. Throws RangeError where it would end the element or hide its end. */
export function scriptText(code: string): Html {
  return Html.script(code)
}

/** Escapes text for element content and for attribute values in double or single quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(value: HtmlValue): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(String).join('')
  return escapeHtml(String(value))
}
