/** A file of the post is not there. Its targets are not tried before, so none of their tries can have failed. */
const lacksMedia = `t.attempts = 0 and exists (
  select from post_media pm join media m on m.id = pm.media_id where pm.post_id = t.post_id and m.status <> 'ready')`

const ofAccount = (column: string) =>
  `(select a.${column} from social_accounts a where a.id = t.social_account_id)`

/** What a target `t` waits for, in the words of domain's `WaitingFor`; null: nothing. */
export const waitingFor = `case
  when t.state = 'draft' then case
    when (select p.approval ->> 'status' from posts p where p.id = t.post_id) = 'waiting' then 'approval' else 'person' end
  when t.state not in ('waiting', 'claimed') then null
  when ${ofAccount("status")} <> 'connected' then 'account'
  when t.state = 'claimed' then null
  when t.error is not null then case when ${lacksMedia} then 'media' else 'retry' end
  when t.next_step_at <= t.due_at then 'time'
  when t.step = 'poll' then 'media'
  when ${ofAccount("paused_until")} >= t.next_step_at then 'pause'
end`
