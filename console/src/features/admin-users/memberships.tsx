import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { addMember, type Membership, membershipsQuery, removeMember } from '../../api/administration/people.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { GroupField } from '../admin-groups/group-field.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { Shown } from '../problems/shown.tsx'
import styles from './users.module.css'
import { useUserAdminWords } from './words.ts'

/** In which groups somebody is, and why; those that one is in by itself are left here, and others joined. */
export function Memberships({ user }: { readonly user: string }) {
  const say = useUserAdminWords()
  const add = useAdministrationChange(addMember)
  return (
    <Shown query={useQuery(membershipsQuery(user))} waiting={<Skeleton />}>
      {(memberships) => (
        <>
          <ul className={styles.memberships} aria-label={say('groups')}>
            {memberships.map((one) => (
              <Line key={one.group} user={user} membership={one} labelOf={labelsIn(memberships)} />
            ))}
          </ul>
          <GroupField
            label={say('addGroup')}
            values={[]}
            left={memberships.filter(({ reason }) => reason === 'listed').map(({ group }) => group)}
            onChange={([group]) => group !== undefined && add.mutate({ group, user })}
          />
        </>
      )}
    </Shown>
  )
}

interface LineProps {
  readonly user: string
  readonly membership: Membership
  labelOf(group: string): string
}

function Line({ user, membership, labelOf }: LineProps) {
  const say = useUserAdminWords()
  const leave = useAdministrationChange(removeMember)
  const { group, label, reason, through } = membership
  return (
    <li>
      <span className={styles.membership}>
        <Link to="/admin/$" params={{ _splat: `groups/${encodeURIComponent(group)}` }}>
          {label}
        </Link>
        <small className={styles.quiet}>
          {reason === 'nested' ? say('through', { groups: through.map(labelOf).join(' › ') }) : say(reason)}
        </small>
      </span>
      {reason === 'listed' ? (
        <Button
          look="quiet"
          aria-label={say('leave', { group: label })}
          isPending={leave.isPending}
          onPress={() => leave.mutate({ group, user })}
        >
          <X size={14} aria-hidden />
        </Button>
      ) : null}
    </li>
  )
}

const labelsIn = (memberships: readonly Membership[]) => (group: string) =>
  memberships.find((one) => one.group === group)?.label ?? group
