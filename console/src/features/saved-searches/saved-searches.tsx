import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bookmark, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { keptIn, type SavedSearch } from '../../api/criteria.ts'
import { forgetSearch, keepSearch, replaceSearch, savedSearchesQuery } from '../../api/saved-searches.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { ShareDialog } from '../permissions/share-dialog.tsx'
import { Shown } from '../problems/shown.tsx'
import { addressFor } from '../search/search-address.ts'
import { NameDialog } from './name-dialog.tsx'
import styles from './saved-searches.module.css'
import { useSavedSearchWords } from './words.ts'

/** Searches that somebody keeps, and those that others share with them. */
export function SavedSearches() {
  const say = useSavedSearchWords()
  const query = useQuery(savedSearchesQuery)
  return (
    <section aria-labelledby="saved-searches">
      <h2 id="saved-searches" className={styles.heading}>
        {say('saved')}
      </h2>
      <Shown query={query} waiting={<Skeleton />}>
        {(saved) =>
          saved.length === 0 ? (
            <p className={styles.quiet}>{say('none')}</p>
          ) : (
            <ul className={styles.list}>
              {saved.map((search) => (
                <Line key={search.id} search={search} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

function Line({ search }: { readonly search: SavedSearch }) {
  const say = useSavedSearchWords()
  const { id, title } = search
  const [asked, setAsked] = useState<'name' | 'share'>()
  const replace = useDocumentChange(replaceSearch)
  const forget = useDocumentChange(forgetSearch)
  const keepAgain = useDocumentChange(keepSearch)
  const onError = ({ message }: Error) => tell({ kind: 'problem', text: message })
  const kept = keptIn(search)
  const remove = () =>
    forget.mutate(id, {
      onSuccess: () =>
        tell({
          text: say('removed', { title }),
          action: { label: say('undo'), run: () => keepAgain.mutate({ title, kept }, { onError }) },
        }),
      onError,
    })
  return (
    <li>
      <Link to="/search" search={{ ...('nxql' in kept ? kept : addressFor(kept.criteria)), saved: id }} className={styles.link}>
        <Bookmark size={16} aria-hidden />
        <span>{title}</span>
      </Link>
      <Menu
        trigger={
          <Button look="quiet" aria-label={say('actions', { title })}>
            <Ellipsis size={16} aria-hidden />
          </Button>
        }
        aria-label={say('actions', { title })}
      >
        <MenuItem onAction={() => setAsked('name')}>{say('rename')}</MenuItem>
        <MenuItem onAction={() => setAsked('share')}>{say('share')}</MenuItem>
        <MenuItem onAction={remove}>{say('remove')}</MenuItem>
      </Menu>
      {asked === 'name' ? (
        <NameDialog
          title={say('rename')}
          name={title}
          onName={async (name) => void (await replace.mutateAsync({ id, title: name, kept }))}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      <ShareDialog
        document={{ uid: id }}
        permissions={['Read', 'ReadWrite', 'Everything']}
        isOpen={asked === 'share'}
        onClose={() => setAsked(undefined)}
      />
    </li>
  )
}
