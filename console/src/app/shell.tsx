import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { CircleUser, Ellipsis } from 'lucide-react'
import { useEffect } from 'react'
import { MenuSection } from 'react-aria-components'
import { signOutAddress } from '../api/client.ts'
import { meQuery } from '../api/documents.ts'
import { useLiveEvents } from '../api/live-events.ts'
import { fullNameOf, profileOf } from '../api/people.ts'
import { NotificationsButton } from '../features/notifications/notifications-button.tsx'
import { isLanguageChosen, languageNames, themes, usePreferences } from '../features/profile/preferences.tsx'
import { SearchBox } from '../features/search/search-box.tsx'
import { UploadsTray } from '../features/uploads/uploads-tray.tsx'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { languages } from '../words/words.ts'
import mark from './mark.svg'
import { places, placesBelow } from './places.ts'
import styles from './shell.module.css'
import { useAppWords } from './words.ts'

export function Shell() {
  const say = useAppWords()
  useLiveEvents()
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {say('skip')}
      </a>
      <header className={styles.top}>
        <Link to="/" className={styles.mark}>
          <img src={mark} width={24} height={24} alt="" />
          Quire
        </Link>
        <SearchBox />
        <span className={styles.spring} />
        <NotificationsButton />
        <AccountMenu />
      </header>
      <nav className={styles.rail} aria-label={say('navigation')}>
        <ul>
          {places.map(({ to, word, icon: Icon, ...place }, index) => (
            <li key={to} data-wide-only={index >= placesBelow}>
              <Link to={to} params={{ _splat: '' }} activeOptions={{ exact: to === '/', includeSearch: false }}>
                <Icon size={18} aria-hidden />
                {say(word)}
                {'Count' in place ? (
                  <span className={styles.count}>
                    <place.Count />
                  </span>
                ) : null}
              </Link>
            </li>
          ))}
          {places.length > placesBelow ? <FurtherPlaces /> : null}
        </ul>
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <UploadsTray />
      <Toasts dismissLabel={say('dismiss')} />
    </div>
  )
}

/** On a narrow screen: what has no place below. */
function FurtherPlaces() {
  const say = useAppWords()
  const navigate = useNavigate()
  return (
    <li className={styles.further}>
      <Menu
        trigger={
          <Button look="quiet">
            <Ellipsis size={18} aria-hidden />
            {say('more')}
          </Button>
        }
      >
        {places.slice(placesBelow).map(({ to, word, icon: Icon }) => (
          <MenuItem key={to} textValue={say(word)} onAction={() => void navigate({ to, params: { _splat: '' } })}>
            <Icon size={18} aria-hidden />
            {say(word)}
          </MenuItem>
        ))}
      </Menu>
    </li>
  )
}

function AccountMenu() {
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
      <MenuItem href={signOutAddress()}>{say('signOut')}</MenuItem>
    </Menu>
  )
}
