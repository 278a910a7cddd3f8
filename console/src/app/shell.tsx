import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { Bell, CircleUser, Ellipsis, PanelLeft, Puzzle } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { meQuery } from '../api/documents.ts'
import { useLiveEvents } from '../api/live-events.ts'
import { fullNameOf } from '../api/people.ts'
import { useRunningBulks } from '../features/bulk/running.ts'
import { Commands } from '../features/commands/commands.tsx'
import { usePieces, usePieceTexts } from '../features/pieces/use-pieces.ts'
import { later } from '../features/problems/later.tsx'
import { SearchBox } from '../features/search/search-box.tsx'
import { useDuplicateQuestion } from '../features/uploads/duplicates.ts'
import { UploadsTray } from '../features/uploads/uploads-tray.tsx'
import { Button } from '../ui/button.tsx'
import { useCommands } from '../ui/commands.ts'
import { Toasts } from '../ui/toasts.tsx'
import { Trays } from '../ui/tray.tsx'
import mark from './mark.svg'
import { type DrawerId, drawerIds, placesBelow, usePlaces } from './places.ts'
import styles from './shell.module.css'
import { useAppWords } from './words.ts'

// Menus are a fifth of what the shell would weigh, and nobody opens one before they have seen the page.
const AccountMenu = later(async () => (await import('./account-menu.tsx')).AccountMenu, { isOver: true })
const NotificationsButton = later(
  async () => (await import('../features/notifications/notifications-button.tsx')).NotificationsButton,
  { isOver: true },
)
const FurtherPlaces = later(async () => (await import('./further-places.tsx')).FurtherPlaces, { isOver: true })

const Drawer = later(async () => (await import('./drawer.tsx')).Drawer)
const DuplicatesDialog = later(async () => (await import('../features/uploads/duplicates-dialog.tsx')).DuplicatesDialog, {
  isOver: true,
})
const BulkTray = later(async () => (await import('../features/bulk/bulk-tray.tsx')).BulkTray, { isOver: true })

export function Shell() {
  const say = useAppWords()
  const navigate = useNavigate()
  const places = usePlaces()
  const { pages } = usePieces()
  const textOf = usePieceTexts()
  const { data: me } = useQuery(meQuery)
  const [drawer, setDrawer] = useKeptDrawer()
  const main = useRef<HTMLElement>(null)
  useLiveEvents()
  useFocusAfterNavigation(main)
  useCommands([
    ...places.map(({ to, word, icon }) => ({
      id: `go-${word}`,
      label: say('goTo', { place: say(word) }),
      icon,
      run: () => void navigate({ to, params: { _splat: '' } }),
    })),
    ...pages.map(({ plugin, name, label }) => ({
      id: `go-${plugin}-${name}`,
      label: say('goTo', { place: textOf(label) }),
      icon: Puzzle,
      run: () => void navigate({ to: '/plugins/$plugin/$page/$', params: { plugin, page: name, _splat: '' } }),
    })),
  ])
  return (
    <div className={styles.shell} data-drawer={drawer !== undefined}>
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
        <Suspense
          fallback={
            // As wide as what comes. Of what a button is given, it keeps no `aria-hidden`.
            <span className={styles.coming} aria-hidden>
              <Button look="quiet" isDisabled>
                <Bell size={18} />
              </Button>
              <Button look="quiet" isDisabled>
                <CircleUser size={20} />
                <span className={styles.account}>{me && fullNameOf(me)}</span>
              </Button>
            </span>
          }
        >
          <NotificationsButton />
          <AccountMenu />
        </Suspense>
      </header>
      <nav className={styles.rail} aria-label={say('navigation')}>
        <ul>
          {places.map(({ to, word, icon: Icon, ...place }, index) => (
            <li key={to} className={styles.place} data-wide-only={index >= placesBelow}>
              <Link to={to} params={{ _splat: '' }} activeOptions={{ exact: to === '/', includeSearch: false }}>
                <Icon size={18} aria-hidden />
                {say(word)}
                {'Count' in place ? (
                  <span className={styles.count}>
                    <place.Count />
                  </span>
                ) : null}
              </Link>
              {'drawer' in place ? (
                <button
                  type="button"
                  className={styles.toDrawer}
                  aria-label={say('drawer', { place: say(word) })}
                  title={say('drawer', { place: say(word) })}
                  aria-expanded={drawer === place.drawer}
                  onClick={() => setDrawer(drawer === place.drawer ? undefined : place.drawer)}
                >
                  <PanelLeft size={14} aria-hidden />
                </button>
              ) : null}
            </li>
          ))}
          {pages.map(({ plugin, name, label }) => (
            <li key={`${plugin}/${name}`} className={styles.place} data-wide-only>
              <Link
                to="/plugins/$plugin/$page/$"
                params={{ plugin, page: name, _splat: '' }}
                activeOptions={{ includeSearch: false }}
              >
                <Puzzle size={18} aria-hidden />
                {textOf(label)}
              </Link>
            </li>
          ))}
          <Suspense
            fallback={
              <li className={`${styles.further} ${styles.coming}`} aria-hidden>
                <Button look="quiet" isDisabled>
                  <Ellipsis size={18} />
                  {say('more')}
                </Button>
              </li>
            }
          >
            {places.length > placesBelow ? <FurtherPlaces /> : null}
          </Suspense>
        </ul>
      </nav>
      {drawer === undefined ? null : (
        <Suspense fallback={<aside aria-hidden />}>
          <Drawer id={drawer} onClose={() => setDrawer(undefined)} />
        </Suspense>
      )}
      <main ref={main} className={styles.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Trays>
        <UploadsTray />
        <Bulks />
      </Trays>
      <Duplicates />
      <Commands />
      <Toasts dismissLabel={say('dismiss')} />
    </div>
  )
}

/** Which drawer is open, in this browser. */
function useKeptDrawer() {
  const [drawer, setDrawer] = useState(() => drawerIds.find((one) => one === localStorage.getItem('quire.drawer')))
  const keep = (next: DrawerId | undefined) => {
    if (next === undefined) localStorage.removeItem('quire.drawer')
    else localStorage.setItem('quire.drawer', next)
    setDrawer(next)
  }
  return [drawer, keep] as const
}

function Bulks() {
  return useRunningBulks().length === 0 ? null : (
    <Suspense>
      <BulkTray />
    </Suspense>
  )
}

function Duplicates() {
  const question = useDuplicateQuestion()
  return question === undefined ? null : (
    <Suspense>
      <DuplicatesDialog question={question} />
    </Suspense>
  )
}

/** Who opens something by a key goes on by keys there: what had the focus is gone with the page before. */
function useFocusAfterNavigation(main: { readonly current: HTMLElement | null }): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged }) => {
        if (pathChanged && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
      }),
    [router, main],
  )
}
