import { type ComponentType, type ReactNode, useId } from 'react'
import { SynchronisedSection } from '../synchronisation/synchronised-section.tsx'
import { AccountSection } from './account-section.tsx'
import { GrantsSection, ProvidersSection } from './applications.tsx'
import { PasswordSection } from './password-section.tsx'
import { PreferencesSection } from './preferences-section.tsx'
import styles from './profile.module.css'
import { SessionsSection } from './sessions-section.tsx'
import { TokensSection } from './tokens-section.tsx'
import { WatchedSection } from './watched-section.tsx'
import { useProfileWords } from './words.ts'

const sections = [
  ['account', AccountSection],
  ['preferences', PreferencesSection],
  ['password', PasswordSection],
  ['sessions', SessionsSection],
  ['tokens', TokensSection],
  ['grants', GrantsSection],
  ['providers', ProvidersSection],
  ['watched', WatchedSection],
  ['synchronised', SynchronisedSection],
] as const satisfies readonly (readonly [string, ComponentType])[]

/** Oneself: what others see, how the console looks, and who else may act in one's name. Each part asks for itself. */
export function ProfilePage() {
  const say = useProfileWords()
  return (
    <div className={styles.page}>
      <h1>{say('title')}</h1>
      <nav className={styles.contents} aria-label={say('sections')}>
        <ul>
          {sections.map(([id]) => (
            <li key={id}>
              <button type="button" onClick={() => goTo(id)}>
                {say(id)}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.sections}>
        {sections.map(([id, Section]) => (
          <Part key={id} id={id} title={say(id)}>
            <Section />
          </Part>
        ))}
      </div>
    </div>
  )
}

function goTo(id: string): void {
  const part = document.getElementById(`profile-${id}`)
  part?.scrollIntoView({ block: 'start' })
  part?.focus({ preventScroll: true })
}

function Part({ id, title, children }: { readonly id: string; readonly title: string; readonly children: ReactNode }) {
  const heading = useId()
  return (
    <section className={styles.section} id={`profile-${id}`} tabIndex={-1} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  )
}
