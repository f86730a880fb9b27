import { requireAuthority } from './authority.ts'
import type { Item } from './collections.ts'
import type { MessageHandler } from './module.ts'

/** `MsgUpdateParams` of a module: governance may, and nothing comes of it but the new parameters. `check` throws. */
export const paramsMessage = <P>(
  item: Item<P>,
  check: (params: P) => void,
  summary?: string,
): MessageHandler<{ readonly authority: string; readonly params: P }, object> => ({
  ...(summary !== undefined && { summary }),
  run(ctx, { authority, params }) {
    requireAuthority(authority)
    check(params)
    item.set(ctx, params)
    return {}
  },
})
