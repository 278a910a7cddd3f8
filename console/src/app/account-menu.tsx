import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { useEffect } from 'react'
import { MenuSection } from 'react-aria-components'
import { signOut } from '../api/client.ts'
import { meQuery } from '../api/documents.ts'
import { fullNameOf, profileOf } from '../api/people.ts'
import { isLanguageChosen, languageNames, themes, usePreferences } from '../features/profile/preferences.tsx'
import { Button } from '../ui/button.tsx'
import { useCommands } from '../ui/commands.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { languages } from '../words/words.ts'
import styles from './shell.module.css'
import { useAppWords } from './words.ts'

/** Who somebody is, and how the console looks and speaks to them. */
export function AccountMenu() {
  const say = useAppWords()
  const navigate = useNavigate()
  const { setTheme, setLanguage } = usePreferences()
  const { data: me } = useSuspenseQuery(meQuery)
  const name = fullNameOf(me)
  const { locale } = profileOf(me)
  useEffect(() => {
    const known = languages.find((language) => locale?.toLowerCase().startsWith(language))
    if (known !== undefined && !isLanguageChosen()) setLanguage(known)
  }, [locale, setLanguage])
  useCommands([
    ...themes.map((theme) => ({ id: theme, label: say('look', { theme: say(theme) }), run: () => setTheme(theme) })),
    ...languages.map((language) => ({
      id: language,
      label: say('speak', { language: languageNames[language] }),
      run: () => setLanguage(language),
    })),
    {
      id: 'profile',
      label: say('goTo', { place: say('profile') }),
      icon: CircleUser,
      run: () => void navigate({ to: '/profile' }),
    },
    { id: 'sign-out', label: say('signOut'), run: signOut },
  ])
  return (
    <Menu
      trigger={
        <Button look="quiet" aria-label={say('account', { name })}>
          <CircleUser size={20} aria-hidden />
          <span className={styles.account}>{name}</span>
        </Button>
      }
    >
      <MenuItem textValue={say('profile')} onAction={() => void navigate({ to: '/profile' })}>
        {say('profile')}
      </MenuItem>
      <MenuSection aria-label={say('appearance')}>
        {themes.map((theme) => (
          <MenuItem key={theme} id={theme} onAction={() => setTheme(theme)}>
            {say(theme)}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection aria-label={say('language')}>
        {languages.map((language) => (
          <MenuItem key={language} id={language} onAction={() => setLanguage(language)}>
            {languageNames[language]}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuItem onAction={signOut}>{say('signOut')}</MenuItem>
    </Menu>
  )
}
