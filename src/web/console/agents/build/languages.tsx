import { useState } from 'preact/hooks'
import type { Language } from '../../../../config/names'
import { LANGUAGES } from '../../../kit/prefs'
import { Segmented, TextArea, TextField } from '../../parts'
import type { SkillRow, Translations, Words } from '../types'
import { cleanTranslations, type Draft } from './draft'
import type { SectionProps } from './instructions'
import { MenuItems } from './menu-items'
import { Section } from './section'
import { useBuildWords } from './words'

/** What people read, in their own language; where a language says nothing, the agent's own words stand. */
export function Languages({ editor, skills }: SectionProps & { skills: readonly SkillRow[] }) {
  const t = useBuildWords()
  const { draft, set, error } = editor
  const [lang, setLang] = useState<Language>('en')
  const translations: Translations = draft.translations ?? {}
  const words = translations[lang] ?? {}
  const change = (part: Words) =>
    set('translations', { ...translations, [lang]: { ...words, ...part } } as Draft['translations'])
  const said = cleanTranslations(translations) ?? {}
  const orNull = (value: string) => (value === '' ? null : value)
  const at = (field: keyof Words) => error(`translations.${lang}.${field}`)
  return (
    <Section id="languages" title={t('languages')} hint={t('languagesHint')}>
      <Segmented
        label={t('language')}
        value={lang}
        options={LANGUAGES.map(([value, name]) => ({
          value,
          label: said[value] ? `${name} •` : name,
        }))}
        onChange={setLang}
      />
      <p class="hint">{t('languagesMark')}</p>
      <div class="stack" key={lang} lang={lang}>
        <TextField
          label={t('displayName')}
          value={words.display_name ?? ''}
          placeholder={draft.display_name ?? undefined}
          maxLength={80}
          error={at('display_name')}
          onInput={(value) => change({ display_name: orNull(value) })}
        />
        <TextArea
          label={t('greeting')}
          value={words.greeting ?? ''}
          placeholder={draft.greeting ?? undefined}
          rows={2}
          maxLength={4000}
          error={at('greeting')}
          onInput={(value) => change({ greeting: orNull(value) })}
        />
        <TextArea
          label={t('noMatchReply')}
          value={words.no_match_reply ?? ''}
          placeholder={draft.no_match_reply ?? undefined}
          rows={2}
          maxLength={4000}
          error={at('no_match_reply')}
          onInput={(value) => change({ no_match_reply: orNull(value) })}
        />
        <MenuItems
          value={words.menu_items}
          skills={skills}
          error={at('menu_items')}
          onChange={(items) => change({ menu_items: items })}
        />
      </div>
    </Section>
  )
}
