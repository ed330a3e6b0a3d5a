import { useEffect, useState } from 'preact/hooks'
import type { ApiProblem } from '../../api/problem'
import { loadLate } from '../../load-late'
import { Button, Problem } from '../../parts'
import { saveFile } from '../../parts/save-file'
import { asProblem } from '../../use-load'
import { useShareWords } from './words'

/** Black on white with its quiet zone, whatever the page's theme: readers want it so. */
const QUIET = 4

/** The code that leads to an address; what draws it is fetched when it is shown. */
export function LazyQr({ text, name }: { text: string; name: string }) {
  const t = useShareWords()
  const [rows, setRows] = useState<readonly (readonly boolean[])[] | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  useEffect(() => {
    let isGone = false
    loadLate(() => import('./encode-qr')).then(
      ({ encodeQR }) => {
        if (!isGone) setRows(encodeQR(text, 'raw', { ecc: 'medium', border: QUIET }))
      },
      (error: unknown) => {
        if (!isGone) setProblem(asProblem(error))
      },
    )
    return () => {
      isGone = true
    }
  }, [text])
  // The address stands beside it.
  if (problem) return <Problem of={problem} />
  if (rows === null) return <div class="qr" />
  const size = rows.length
  const path = pathOf(rows)
  const save = () => saveFile(`${name}.svg`, writeSvg(size, path), 'image/svg+xml')
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('qrOf', { address: text })}>
        <path class="qr-paper" d={`M0 0h${size}v${size}H0z`} />
        <path class="qr-ink" d={path} />
      </svg>
      <Button small kind="quiet" icon="download" onClick={save}>
        {t('qrSave')}
      </Button>
    </figure>
  )
}

const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')

const writeSvg = (size: number, path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="512" height="512" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
