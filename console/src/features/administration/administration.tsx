import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { Part, partQuery } from '../problems/part.tsx'
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
                {some.map((one) => (
                  <li key={one.id}>
                    <ScreenLink screen={one} isCurrent={one === shown} name={one.name[language]} />
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
          <Part key={shown.id} {...partOf(shown)} waiting={<Skeleton />}>
            {({ Screen }) => <Screen />}
          </Part>
        )}
      </div>
    </div>
  )
}

interface ScreenLinkProps {
  readonly screen: AdministrationScreen
  readonly isCurrent: boolean
  readonly name: string
}

/** Whoever points at it is about to go there: its code is asked for already. */
function ScreenLink({ screen, isCurrent, name }: ScreenLinkProps) {
  const queries = useQueryClient()
  const { name: part, load } = partOf(screen)
  const prepare = () => void queries.prefetchQuery(partQuery(part, load))
  const { icon: Icon } = screen
  return (
    <Link to="/admin/$" params={{ _splat: screen.id }} data-current={isCurrent} onPointerEnter={prepare} onFocus={prepare}>
      <Icon size={16} aria-hidden />
      {name}
    </Link>
  )
}

function partOf({ id, load }: AdministrationScreen) {
  return { name: `administration/${id}`, load }
}
