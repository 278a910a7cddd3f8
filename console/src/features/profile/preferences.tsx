import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { chooseLanguage, type Language, LanguageContext } from '../../words/words.ts'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

export const languageNames = { en: 'English', fr: 'Français' } as const satisfies { readonly [Known in Language]: string }

export const densities = ['comfortable', 'compact'] as const
type Density = (typeof densities)[number]

interface Preferences {
  readonly theme: Theme
  setTheme(theme: Theme): void
  readonly density: Density
  setDensity(density: Density): void
  setLanguage(language: Language): void
}

const PreferencesContext = createContext<Preferences | undefined>(undefined)

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext)
  if (preferences === undefined) throw new Error('There are no preferences around this component.')
  return preferences
}

/** How somebody wants the console to look and speak, kept in this browser. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [theme, setTheme] = useStored<Theme>('quire.theme', (stored) => themes.find((one) => one === stored) ?? 'system')
  const [language, setLanguage] = useStored<Language>('quire.language', (stored) => chooseLanguage(stored, navigator.languages))
  useEffect(() => {
    const { documentElement } = document
    if (theme === 'system') delete documentElement.dataset['theme']
    else documentElement.dataset['theme'] = theme
  }, [theme])
  const [density, setDensity] = useStored<Density>(
    'quire.density',
    (stored) => densities.find((one) => one === stored) ?? 'comfortable',
  )
  // Before anything is measured by it.
  document.documentElement.dataset['density'] = density
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const preferences = useMemo(
    () => ({ theme, setTheme, density, setDensity, setLanguage }),
    [theme, setTheme, density, setDensity, setLanguage],
  )
  return (
    <PreferencesContext value={preferences}>
      <LanguageContext value={language}>
        <I18nProvider locale={language}>{children}</I18nProvider>
      </LanguageContext>
    </PreferencesContext>
  )
}

function useStored<Value extends string>(name: string, read: (stored: string | null) => Value) {
  const [value, setValue] = useState(() => read(localStorage.getItem(name)))
  const store = useMemo(
    () => (next: Value) => {
      localStorage.setItem(name, next)
      setValue(next)
    },
    [name],
  )
  return [value, store] as const
}

/** Whether a language was chosen in this browser: until then that of the profile holds. */
export function isLanguageChosen(): boolean {
  return localStorage.getItem('quire.language') !== null
}
