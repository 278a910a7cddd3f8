import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ServerSetting, settingsQuery } from '../../api/administration/server-settings.ts'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { useLanguage } from '../../words/words.ts'
import { ScreenPage, SearchField } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { isLike, settingSources, shownValue, sourceOf } from './setting.ts'
import styles from './settings.module.css'
import { useSettingWords } from './words.ts'

/** What the server was started with. */
export function Screen() {
  const say = useSettingWords()
  const { search, change } = usePlace()
  const source = settingSources.find((one) => one === search.kind)
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      flows
      tools={
        <>
          <Choice
            label={say('source')}
            value={source ?? ''}
            options={[
              { value: '', label: say('anySource') },
              ...settingSources.map((one) => ({ value: one as string, label: say(one) })),
            ]}
            onChange={(kind) => change({ kind: kind || undefined })}
          />
          <SearchField label={say('search')} />
        </>
      }
    >
      <Shown query={useQuery(settingsQuery)} waiting={<Skeleton />}>
        {(settings) => (
          <Settings
            settings={settings.filter((one) => (source === undefined || sourceOf(one) === source) && isLike(one, search.q ?? ''))}
          />
        )}
      </Shown>
    </ScreenPage>
  )
}

function Settings({ settings }: { readonly settings: readonly ServerSetting[] }) {
  const say = useSettingWords()
  return (
    <div className={styles.page}>
      <p className={styles.quiet} role="status">
        {say('count', { count: settings.length })}
      </p>
      {settings.length > 0 ? (
        <ul aria-label={say('title')}>
          {settings.map((setting) => (
            <Line key={setting.name} setting={setting} />
          ))}
        </ul>
      ) : (
        <Message icon={SlidersHorizontal} title={say('none')}>
          <p>{say('noneHint')}</p>
        </Message>
      )}
    </div>
  )
}

function Line({ setting }: { readonly setting: ServerSetting }) {
  const say = useSettingWords()
  const value = shownValue(setting, useLanguage(), useFormats())
  return (
    <li>
      <div className={styles.name}>
        <h2>{setting.flag}</h2>
        <p>{setting.help}</p>
        {/* The names that other places call it by. */}
        <p className={styles.quiet}>{[setting.variable, setting.property].filter(Boolean).join(' · ')}</p>
      </div>
      <div className={styles.value}>
        {value === undefined ? <span className={styles.quiet}>{say('notSet')}</span> : <strong>{value}</strong>}
        <span className={styles.origin} data-given={setting.origin !== null}>
          {setting.origin === null ? say('isDefault') : say('from', { origin: setting.origin })}
        </span>
      </div>
    </li>
  )
}
