import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Sends requests as the JDK does by default, and prints the status and the protocol of each answer. */
class HttpClients {
  public static void main(String[] args) throws Exception {
    var base = args[0];
    var client = HttpClient.newHttpClient();
    var award = "{\"userId\":\"java\",\"eventType\":\"signup\",\"reference\":\"java\"}";
    var requests = new HttpRequest[] {
      HttpRequest.newBuilder(URI.create(base + "/v1/games")).header("X-API-Key", args[1]).build(),
      json(base + "/v1/points/award", award).header("X-API-Secret", args[2]).build(),
      json(base + "/graphql", "{\"query\":\"{ __typename }\"}").build(),
      HttpRequest.newBuilder(URI.create(base + "/v1/nope")).build(),
    };
    for (var request : requests) {
      var response = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(response.statusCode() + " " + response.version() + " " + response.body().length());
    }
  }

  static HttpRequest.Builder json(String url, String body) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }
}
