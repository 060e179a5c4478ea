import java.util.List;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** A real OpenSearch node on loopback: arguments are its directory and its HTTP port. */
public class Server {
    public static void main(String[] arguments) throws Exception {
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((number, settings) -> {
            settings.put("http.port", arguments[1]);
            settings.put("transport.port", "0");
            settings.put("network.host", "127.0.0.1");
            settings.put("discovery.type", "single-node");
            settings.putList("discovery.seed_hosts", List.of());
            settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
        });
        runner.build(OpenSearchRunner.newConfigs().basePath(arguments[0]).numOfNode(1).clusterName("test").useLogger());
        System.in.read(); // Ends with the test process: its end closes the pipe.
        System.exit(0);
    }
}
