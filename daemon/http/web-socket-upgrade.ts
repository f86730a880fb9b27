import { IncomingMessage } from 'node:http'

/**
 * A request on a server that takes WebSockets. Node.js would hand every connection over whose client offers to go on in another
 * protocol, with its request unanswered; clients that offer HTTP/2 (Java's, `curl --http2`) are answered as all others.
 */
export class UpgradableRequest extends IncomingMessage {
  // No private field: the constructor of Node.js sets `upgrade` before this class has any.
  declare _offersUpgrade: boolean | null

  get upgrade(): boolean | null {
    const isOther = this.method !== 'CONNECT' && this.headers.upgrade?.toLowerCase() !== 'websocket'
    return isOther ? false : this._offersUpgrade
  }

  set upgrade(offers: boolean | null) {
    this._offersUpgrade = offers
  }
}
