import { changeProfile } from '../../api/account.ts'
import { Choice } from '../../ui/choice.tsx'
import { Segments } from '../../ui/segments.tsx'
import { languages, useLanguage } from '../../words/words.ts'
import { densities, languageNames, themes, usePreferences } from './preferences.tsx'
import styles from './profile.module.css'
import { useAccountChange } from './use-account-change.ts'
import { useProfileWords } from './words.ts'

/** How the console speaks, which the server heeds too, and how it looks in this browser. */
export function PreferencesSection() {
  const say = useProfileWords()
  const language = useLanguage()
  const { theme, setTheme, density, setDensity, setLanguage } = usePreferences()
  const keep = useAccountChange((locale: string) => changeProfile({ 'userprofile:locale': locale }))
  return (
    <>
      <div className={styles.narrow}>
        <Choice
          label={say('language')}
          value={language}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={(value) => {
            setLanguage(value)
            keep.mutate(value)
          }}
        />
        <p className={styles.quiet}>{say('languageHint')}</p>
      </div>
      <div className={styles.line}>
        <span aria-hidden>{say('appearance')}</span>
        <Segments
          label={say('appearance')}
          selected={theme}
          options={themes.map((id) => ({ id, label: say(id) }))}
          onSelect={setTheme}
        />
      </div>
      <div className={styles.line}>
        <span aria-hidden>{say('density')}</span>
        <Segments
          label={say('density')}
          selected={density}
          options={densities.map((id) => ({ id, label: say(id) }))}
          onSelect={setDensity}
        />
      </div>
    </>
  )
}
