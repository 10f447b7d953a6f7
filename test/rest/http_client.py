"""Sends a body in Latin-1, and an empty one in chunks, and prints the status and the error code of each answer."""
import http.client
import json
import sys

host, key, secret = sys.argv[1:]


def send(path, headers, body, **options):
    connection = http.client.HTTPConnection(host)
    connection.request("POST", path, body, headers, **options)
    response = connection.getresponse()
    print(response.status, json.loads(response.read()).get("errorCode"))
    connection.close()


award = {"userId": "Jürgen", "eventType": "signup"}
text = json.dumps(award, ensure_ascii=False)
json_type = {"Content-Type": "application/json", "X-API-Secret": secret}

# A text as body is sent in Latin-1 by http.client.
send("/v1/points/award", json_type, text)
send("/v1/points/award", json_type, text.encode("utf-8"))
chunked = {"X-API-Key": key, "Transfer-Encoding": "chunked"}
send("/v1/user-journeys/users/ann/offers/x/claim", chunked, iter([]), encode_chunked=True)
