import { useState } from 'preact/hooks'
import { Segmented } from '../parts'
import { AddSite } from './add-site'
import { AddText } from './add-text'
import { AddUrl } from './add-url'
import { UploadFiles } from './upload-files'
import { useKnowledgeWords } from './words'

const WAYS = ['files', 'page', 'site', 'text'] as const

interface AddDocumentsProps {
  base: string
  onAdded: () => void
  onJob: (id: string) => void
}

/** The ways by which documents come into a base. */
export function AddDocuments({ base, onAdded, onJob }: AddDocumentsProps) {
  const t = useKnowledgeWords()
  const [way, setWay] = useState<(typeof WAYS)[number]>('files')
  return (
    <section class="card stack" aria-label={t('addDocuments')}>
      <Segmented
        label={t('addDocuments')}
        value={way}
        options={WAYS.map((value) => ({ value, label: t(value) }))}
        onChange={setWay}
      />
      {way === 'files' && <UploadFiles base={base} onAdded={onAdded} />}
      {way === 'page' && <AddUrl base={base} onAdded={onAdded} />}
      {way === 'site' && <AddSite base={base} onJob={onJob} />}
      {way === 'text' && <AddText base={base} onAdded={onAdded} />}
    </section>
  )
}
