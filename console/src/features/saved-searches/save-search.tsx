import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import type { KeptSearch } from '../../api/criteria.ts'
import { keepSearch, replaceSearch, savedSearchesQuery } from '../../api/saved-searches.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { tell } from '../../ui/toasts.tsx'
import { NameDialog } from './name-dialog.tsx'
import { useSavedSearchWords } from './words.ts'

export interface SaveSearchProps {
  readonly kept: KeptSearch
  /** Of the saved search that this one began with. */
  readonly savedId: string | undefined
}

/** Keeps a search under a name, or in the place of the one that it was made from. */
export function SaveSearch({ kept, savedId }: SaveSearchProps) {
  const say = useSavedSearchWords()
  const navigate = useNavigate()
  const [isNaming, setNaming] = useState(false)
  const { data: saved = [] } = useQuery(savedSearchesQuery)
  const keep = useDocumentChange(keepSearch)
  const replace = useDocumentChange(replaceSearch)
  const before = saved.find(({ id }) => id === savedId)
  useCommands([{ id: 'save-search', label: say('save'), icon: Bookmark, run: () => setNaming(true) }])
  return (
    <>
      {before === undefined ? (
        <Button onPress={() => setNaming(true)}>
          <Bookmark size={16} aria-hidden />
          {say('save')}
        </Button>
      ) : (
        <Menu
          trigger={
            <Button>
              <Bookmark size={16} aria-hidden />
              {say('save')}
            </Button>
          }
          aria-label={say('save')}
        >
          <MenuItem
            onAction={() =>
              replace.mutate(
                { id: before.id, title: before.title, kept },
                {
                  onSuccess: ({ title }) => tell({ text: say('changed', { title }) }),
                  onError: ({ message }) => tell({ kind: 'problem', text: message }),
                },
              )
            }
          >
            {say('saveChanges', { title: before.title })}
          </MenuItem>
          <MenuItem onAction={() => setNaming(true)}>{say('saveAsNew')}</MenuItem>
        </Menu>
      )}
      {isNaming ? (
        <NameDialog
          title={say('save')}
          name={'criteria' in kept ? (kept.criteria.words ?? '') : ''}
          onName={async (title) => {
            const { id } = await keep.mutateAsync({ title, kept })
            tell({ text: say('kept', { title }) })
            void navigate({ to: '/search', search: (now) => ({ ...now, saved: id }), replace: true })
          }}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  )
}
