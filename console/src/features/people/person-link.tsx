import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './person.module.css'
import { isAccount, Person, type PersonProps } from './person.tsx'

/** Leads to the page of somebody. */
export function PersonLink({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Link to="/people/$name" params={{ name }} className={styles.link}>
      {children}
    </Link>
  )
}

/** Somebody, by whom one gets to their page; groups and the server itself have none. */
export function LinkedPerson(props: PersonProps) {
  if (!isAccount(props.reference)) return <Person {...props} />
  return (
    <PersonLink name={props.reference.replace(/^user:/, '')}>
      <Person {...props} />
    </PersonLink>
  )
}
