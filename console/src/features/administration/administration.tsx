import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import styles from './administration.module.css'
import { type AdministrationScreen, screenGroups } from './screen.ts'
import { usePlace } from './use-place.ts'
import { useAdministrationWords } from './words.ts'

/** The screens of who looks after the server: which there are, and the one that is looked at. */
export function Administration({ screens }: { readonly screens: readonly AdministrationScreen[] }) {
  const say = useAdministrationWords()
  const language = useLanguage()
  const { screen, goTo } = usePlace()
  const shown = screen === '' ? screens[0] : screens.find(({ id }) => id === screen)
  return (
    <div className={styles.area}>
      <nav className={styles.screens} aria-label={say('screens')}>
        {screenGroups.map((group) => {
          const some = screens.filter((one) => one.group === group)
          return some.length === 0 ? null : (
            <section key={group} aria-labelledby={`screens-${group}`}>
              <h2 id={`screens-${group}`}>{say(group)}</h2>
              <ul>
                {some.map(({ id, icon: Icon, name }) => (
                  <li key={id}>
                    <Link to="/admin/$" params={{ _splat: id }} data-current={id === shown?.id}>
                      <Icon size={16} aria-hidden />
                      {name[language]}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </nav>
      <div className={styles.choice}>
        <Choice
          label={say('title')}
          value={shown?.id ?? ''}
          options={screens.map(({ id, name }) => ({ value: id, label: name[language] }))}
          onChange={(id) => void goTo(id)}
        />
      </div>
      <div className={styles.screen}>
        {shown === undefined ? (
          <Message icon={Compass} title={say('notHere')} isPage>
            <p>{say('notHereHint')}</p>
          </Message>
        ) : (
          <Suspense fallback={<Skeleton />}>
            <Loaded key={shown.id} screen={shown} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

// What is loaded once stays: a component that is made anew would lose what it shows.
const loaded = new Map<AdministrationScreen, ComponentType>()

function Loaded({ screen }: { readonly screen: AdministrationScreen }) {
  const Screen = loaded.get(screen) ?? lazy(async () => ({ default: (await screen.load()).Screen }))
  loaded.set(screen, Screen)
  return <Screen />
}
