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
  hidden: boolean
  onAdded: () => void
  onJob: (id: string) => void
}

/** The ways by which documents come into a base. What is begun in one stays while another is looked at. */
export function AddDocuments({ base, hidden, onAdded, onJob }: AddDocumentsProps) {
  const t = useKnowledgeWords()
  const [way, setWay] = useState<(typeof WAYS)[number]>('files')
  return (
    <section class="card stack" hidden={hidden} aria-label={t('addDocuments')}>
      <Segmented
        label={t('addDocuments')}
        value={way}
        options={WAYS.map((value) => ({ value, label: t(value) }))}
        onChange={setWay}
      />
      <div hidden={way !== 'files'}>
        <UploadFiles base={base} onAdded={onAdded} />
      </div>
      <div hidden={way !== 'page'}>
        <AddUrl base={base} onAdded={onAdded} />
      </div>
      <div hidden={way !== 'site'}>
        <AddSite base={base} onJob={onJob} />
      </div>
      <div hidden={way !== 'text'}>
        <AddText base={base} onAdded={onAdded} />
      </div>
    </section>
  )
}
